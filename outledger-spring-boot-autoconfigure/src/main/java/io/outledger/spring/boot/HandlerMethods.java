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
import java.util.function.Supplier;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Finds the methods with {@link OutboxHandler} among the application's beans. It makes the beans
 * that have some, to see whether their proxies let the methods be called.
 */
final class HandlerMethods {

  /** Interfaces behind which nobody has handlers, such as that of data sources. */
  private static final List<String> OF_OTHERS =
      List.of("org.springframework.", "java.", "javax.", "jakarta.");

  private final List<HandlerMethod> methods = new ArrayList<>();
  private final Problems problems = Problems.of("methods with @OutboxHandler cannot be used");

  private HandlerMethods() {}

  /**
   * Finds them.
   *
   * @param manager the transaction manager that handlers are called in
   * @return by subscription and handler
   * @throws ConfigurationException {@code OUT-021} listing every method that cannot be called
   */
  static Map<String, Map<String, List<HandlerMethod>>> find(
      ConfigurableListableBeanFactory beans,
      EventTypes types,
      Supplier<PlatformTransactionManager> manager) {
    makeThoseBehindInterfaces(beans);
    HandlerMethods found = new HandlerMethods();
    SecondCommit second = new SecondCommit(beans, manager);
    for (AnnotatedMethods.Found<OutboxHandler> each :
        AnnotatedMethods.find(beans, OutboxHandler.class)) {
      second.problem(each.method(), each.type()).ifPresent(found.problems::add);
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

  /**
   * Makes beans whose declared type is an interface: only their class shows whether they have
   * handlers. Mostly they are there already, unless beans are made late.
   */
  private static void makeThoseBehindInterfaces(ConfigurableListableBeanFactory beans) {
    for (String name : beans.getBeanDefinitionNames()) {
      BeanDefinition definition = beans.getMergedBeanDefinition(name);
      Class<?> declared =
          definition.isSingleton() && definition.getFactoryMethodName() != null
              ? beans.getType(name, false)
              : null;
      if (declared != null
          && declared.isInterface()
          && OF_OTHERS.stream().noneMatch(declared.getName()::startsWith)) {
        beans.getBean(name);
      }
    }
  }

  private static String scope(String name, ConfigurableListableBeanFactory beans) {
    String target = ScopedProxyUtils.getTargetBeanName(name);
    String scoped = beans.containsBeanDefinition(target) ? target : name;
    return String.valueOf(beans.getMergedBeanDefinition(scoped).getScope());
  }

  private void check(EventTypes types) {
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
