// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.Name;
import io.outledger.Problems;
import io.outledger.event.EventTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the methods with {@link OutboxHandler} among the application's beans. It makes the beans
 * that have some, to see whether their proxies let the methods be called.
 */
final class HandlerMethods {

  private final List<HandlerMethod> methods = new ArrayList<>();

  private HandlerMethods() {}

  /**
   * Finds them.
   *
   * @return by subscription and handler
   * @throws ConfigurationException {@code OUT-021} listing every method that cannot be called
   */
  static Map<String, Map<String, List<HandlerMethod>>> find(
      ConfigurableListableBeanFactory beans, EventTypes types) {
    HandlerMethods found = new HandlerMethods();
    for (AnnotatedMethods.Found<OutboxHandler> each :
        AnnotatedMethods.find(beans, OutboxHandler.class)) {
      found.methods.add(
          new HandlerMethod(
              each.method(),
              each.said(),
              () -> beans.getBean(each.bean()),
              scope(each.bean(), beans)));
    }
    found.check(types);
    return found.grouped();
  }

  private static String scope(String name, ConfigurableListableBeanFactory beans) {
    String target = ScopedProxyUtils.getTargetBeanName(name);
    String scoped = beans.containsBeanDefinition(target) ? target : name;
    return String.valueOf(beans.getMergedBeanDefinition(scoped).getScope());
  }

  private void check(EventTypes types) {
    Problems problems = Problems.of("methods with @OutboxHandler cannot be used");
    Map<String, HandlerMethod> taken = new LinkedHashMap<>();
    for (HandlerMethod method : methods) {
      String problem = method.problem().orElse("");
      if (!problem.isEmpty()) {
        problems.add(problem);
        continue;
      }
      if (!types.isRegistered(method.eventClass())) {
        problems.add(
            method
                + " takes "
                + method.eventClass().getName()
                + ", which is not registered as an event type: annotate it with @OutboxEvent");
      }
      OutboxHandler said = method.said();
      try {
        Name.check("subscription", said.subscription());
        Name.check("handler", said.value());
      } catch (ConfigurationException e) {
        problems.add(method + ": " + e.getMessage());
      }
      HandlerMethod other =
          taken.putIfAbsent(
              said.subscription() + "/" + said.value() + " " + method.eventClass().getName(),
              method);
      if (other != null) {
        problems.add(
            method
                + " and "
                + other
                + " take the same event under the name "
                + said.value()
                + "; give each a name of its own");
      }
    }
    problems.refuse();
  }

  private Map<String, Map<String, List<HandlerMethod>>> grouped() {
    Map<String, Map<String, List<HandlerMethod>>> subscriptions = new TreeMap<>();
    for (HandlerMethod method : methods) {
      subscriptions
          .computeIfAbsent(method.said().subscription(), name -> new TreeMap<>())
          .computeIfAbsent(method.said().value(), name -> new ArrayList<>())
          .add(method);
    }
    return subscriptions;
  }
}
