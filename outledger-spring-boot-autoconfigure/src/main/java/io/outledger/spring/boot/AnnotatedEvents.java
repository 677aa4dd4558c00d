// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.event.EventType;
import io.outledger.event.EventTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** Registers the classes that are annotated with {@link OutboxEvent}. */
final class AnnotatedEvents implements EventTypesCustomizer {

  private final List<Class<?>> classes;
  private final Environment environment;
  private final List<String> problems = new ArrayList<>();

  AnnotatedEvents(List<Class<?>> classes, Environment environment) {
    this.classes = classes;
    this.environment = environment;
  }

  /** Looks for classes in the application's packages, or in those that are configured. */
  @Configuration(proxyBeanMethods = false)
  static class Registration {

    @Bean
    AnnotatedEvents outledgerAnnotatedEvents(
        OutledgerProperties properties, BeanFactory beans, Environment environment) {
      List<String> packages = properties.events().packages();
      if (packages.isEmpty() && AutoConfigurationPackages.has(beans)) {
        packages = AutoConfigurationPackages.get(beans);
      }
      return new AnnotatedEvents(find(packages, beans), environment);
    }
  }

  private static List<Class<?>> find(List<String> packages, BeanFactory beans) {
    var scanner = new ClassPathScanningCandidateComponentProvider(false);
    scanner.addIncludeFilter(new AnnotationTypeFilter(OutboxEvent.class, false));
    var names = new TreeSet<String>();
    for (String each : packages) {
      for (BeanDefinition found : scanner.findCandidateComponents(each)) {
        names.add(String.valueOf(found.getBeanClassName()));
      }
    }
    ClassLoader loader = beans.getClass().getClassLoader();
    if (beans instanceof org.springframework.beans.factory.config.ConfigurableBeanFactory all) {
      loader = all.getBeanClassLoader();
    }
    List<Class<?>> classes = new ArrayList<>();
    for (String name : names) {
      classes.add(ClassUtils.resolveClassName(name, loader));
    }
    return classes;
  }

  @Override
  public void customize(EventTypes.Builder types) {
    classes.forEach(each -> register(types, each));
    if (!problems.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "classes with @OutboxEvent cannot be used: " + String.join("; ", problems));
    }
  }

  private <E> void register(EventTypes.Builder types, Class<E> eventClass) {
    OutboxEvent said = eventClass.getAnnotation(OutboxEvent.class);
    if (said.key().isEmpty() == !said.keyless()) {
      problems.add(
          eventClass.getName()
              + " needs either key, the name of the property with the aggregate's id, or"
              + " keyless = true");
      return;
    }
    types.register(eventClass, type -> describe(type, eventClass, said));
  }

  private <E> void describe(EventType.Builder<E> type, Class<E> eventClass, OutboxEvent said) {
    type.name(said.name())
        .version(said.version())
        .topic(environment.resolveRequiredPlaceholders(said.topic()));
    if (said.keyless()) {
      type.keyless();
      return;
    }
    KeyProperty.find(eventClass, said.key())
        .ifPresentOrElse(
            key -> type.key(key::of),
            () ->
                problems.add(
                    eventClass.getName() + " has no property " + said.key() + " for its key"));
  }
}
