// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.Name;
import io.outledger.Problems;
import io.outledger.event.EventTypes;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Finds the methods that handle events, by their annotation, among the application's beans. It
 * makes the beans that have some, to see whether their proxies let the methods be called.
 *
 * @param <A> the annotation
 */
final class HandlerMethods<A extends Annotation> {

  /** Interfaces behind which nobody has handlers, such as that of data sources. */
  private static final List<String> OF_OTHERS =
      List.of("org.springframework.", "java.", "javax.", "jakarta.");

  private final Kind<A> kind;
  private final List<AnnotatedHandler<A>> methods = new ArrayList<>();
  private final Problems problems;

  /**
   * An annotation of methods that handle events.
   *
   * @param names what its names are for, each with the name that an annotation gives
   */
  record Kind<A extends Annotation>(Class<A> type, Function<A, Map<String, String>> names) {

    @Override
    public String toString() {
      return "@" + type.getSimpleName();
    }
  }

  private HandlerMethods(Kind<A> kind) {
    this.kind = kind;
    this.problems = Problems.of("methods with " + kind + " cannot be used");
  }

  /**
   * Finds them.
   *
   * @param manager the transaction manager that handlers are called in
   * @return all, in no particular order
   * @throws ConfigurationException {@code OUT-021} listing every method that cannot be called
   */
  static <A extends Annotation> List<AnnotatedHandler<A>> find(
      ConfigurableListableBeanFactory beans,
      Kind<A> kind,
      EventTypes types,
      Supplier<PlatformTransactionManager> manager) {
    makeThoseBehindInterfaces(beans);
    HandlerMethods<A> found = new HandlerMethods<>(kind);
    SecondCommit second = new SecondCommit(beans, manager);
    for (AnnotatedMethods.Found<A> each : AnnotatedMethods.find(beans, kind.type())) {
      second.problem(each.method(), each.type()).ifPresent(found.problems::add);
      HandlerMethod method =
          new HandlerMethod(
              each.method(), () -> beans.getBean(each.bean()), scope(each.bean(), beans));
      found.methods.add(new AnnotatedHandler<>(method, each.said()));
    }
    found.check(types);
    return List.copyOf(found.methods);
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
    Map<String, AnnotatedHandler<A>> taken = new LinkedHashMap<>();
    for (AnnotatedHandler<A> method : methods) {
      String problem = method.method().problem().orElse("");
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
      Map<String, String> names = kind.names().apply(method.said());
      names.forEach((what, name) -> checkName(method, what, name));
      AnnotatedHandler<A> other =
          taken.putIfAbsent(names.values() + " " + method.eventClass().getName(), method);
      if (other != null) {
        problems.add(
            method
                + " and "
                + other
                + " take the same event under the name "
                + String.join("/", names.values())
                + "; give each a name of its own");
      }
    }
    problems.refuse();
  }

  private void checkName(AnnotatedHandler<A> method, String what, String name) {
    try {
      Name.check(what, name);
    } catch (ConfigurationException e) {
      problems.add(method + ": " + e.getMessage());
    }
  }
}
