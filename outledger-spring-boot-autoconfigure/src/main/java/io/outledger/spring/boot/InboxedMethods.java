// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import io.outledger.spring.Inboxed;
import io.outledger.spring.InboxedMethod;
import io.outledger.spring.MessageIdentity;
import io.outledger.spring.SpringInbox;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses the start of an application with methods that are annotated with {@link Inboxed} and
 * cannot take effect once, or that have no transaction manager.
 */
final class InboxedMethods implements SmartInitializingSingleton {

  private final ConfigurableListableBeanFactory beans;
  private final ObjectProvider<SpringInbox> inbox;
  private final ObjectProvider<MessageIdentity> identities;

  InboxedMethods(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<SpringInbox> inbox,
      ObjectProvider<MessageIdentity> identities) {
    this.beans = beans;
    this.inbox = inbox;
    this.identities = identities;
  }

  @Override
  public void afterSingletonsInstantiated() {
    List<AnnotatedMethods.Found<Inboxed>> methods = AnnotatedMethods.find(beans, Inboxed.class);
    if (methods.isEmpty()) {
      return;
    }
    Problems problems = Problems.of("methods with @Inboxed cannot be used");
    SecondCommit second = new SecondCommit(beans, () -> inbox.getObject().manager());
    for (AnnotatedMethods.Found<Inboxed> found : methods) {
      InboxedMethod.problem(found.method(), identities).ifPresent(problems::add);
      second.problem(found.method(), found.type()).ifPresent(problems::add);
    }
    methods.stream()
        .map(AnnotatedMethods.Found::bean)
        .distinct()
        .map(bean -> InboxedProxy.problem(beans, bean))
        .flatMap(Optional::stream)
        .forEach(problems::add);
    problems.refuse();
    inbox.getObject();
  }
}
