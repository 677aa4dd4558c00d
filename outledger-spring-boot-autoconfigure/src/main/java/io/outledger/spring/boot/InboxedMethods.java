// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.spring.Inboxed;
import io.outledger.spring.InboxedMethod;
import io.outledger.spring.SpringInbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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

  InboxedMethods(ConfigurableListableBeanFactory beans, ObjectProvider<SpringInbox> inbox) {
    this.beans = beans;
    this.inbox = inbox;
  }

  @Override
  public void afterSingletonsInstantiated() {
    List<AnnotatedMethods.Found<Inboxed>> methods = AnnotatedMethods.find(beans, Inboxed.class);
    List<String> problems =
        methods.stream()
            .map(found -> InboxedMethod.problem(found.method()))
            .flatMap(Optional::stream)
            .collect(Collectors.toCollection(ArrayList::new));
    methods.stream()
        .map(AnnotatedMethods.Found::bean)
        .distinct()
        .map(bean -> InboxedProxy.problem(beans, bean))
        .flatMap(Optional::stream)
        .forEach(problems::add);
    if (!problems.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "methods with @Inboxed cannot be used: " + String.join("; ", problems));
    }
    if (!methods.isEmpty()) {
      inbox.getObject();
    }
  }
}
