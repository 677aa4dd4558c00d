// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import io.outledger.publish.Publisher;
import io.outledger.receive.BrokerReceiver;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses handlers, listeners, publishers and receivers of a context whose relays are those of an
 * ancestor: that one starts first, and never sees the beans and properties of its children, so they
 * would silently do nothing.
 */
final class ChildContext implements SmartInitializingSingleton {

  private final ConfigurableListableBeanFactory beans;
  private final OutledgerProperties properties;

  ChildContext(ConfigurableListableBeanFactory beans, OutledgerProperties properties) {
    this.beans = beans;
    this.properties = properties;
  }

  @Override
  public void afterSingletonsInstantiated() {
    BeanFactory parent = beans.getParentBeanFactory();
    if (parent == null || beans.getBeanNamesForType(RelayDefinitions.class).length > 0) {
      return;
    }
    Set<String> unseen = new LinkedHashSet<>();
    AnnotatedMethods.find(beans, OutboxHandler.class)
        .forEach(each -> unseen.add(named("@OutboxHandler", each)));
    AnnotatedMethods.find(beans, InboxListener.class)
        .forEach(each -> unseen.add(named("@InboxListener", each)));
    for (Class<?> type : List.of(Publisher.class, BrokerReceiver.class)) {
      for (String name : beans.getBeanNamesForType(type)) {
        unseen.add("the " + type.getSimpleName() + " bean " + name);
      }
    }
    parent
        .getBeanProvider(OutledgerProperties.class)
        .ifAvailable(
            seen -> {
              Set<String> publishers = new TreeSet<>(properties.publishers().keySet());
              publishers.removeAll(seen.publishers().keySet());
              publishers.forEach(name -> unseen.add("outledger.publishers." + name));
              Set<String> receivers = new TreeSet<>(properties.receivers().keySet());
              receivers.removeAll(seen.receivers().keySet());
              receivers.forEach(name -> unseen.add("outledger.receivers." + name));
            });
    Problems problems =
        Problems.of("relays and receivers run in a parent context, which never sees this one");
    unseen.forEach(
        each ->
            problems.add(
                each
                    + " belongs to a child context: move it to the context that has the relays, or"
                    + " keep Outledger's auto-configuration out of that one"));
    problems.refuse();
  }

  private static String named(String annotation, AnnotatedMethods.Found<?> found) {
    return annotation + " of " + found.type().getName() + "." + found.method().getName();
  }
}
