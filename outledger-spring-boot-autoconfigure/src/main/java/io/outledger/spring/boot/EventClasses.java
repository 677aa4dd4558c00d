// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.ResourceLoaderAware;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * The classes that are annotated with {@link OutboxEvent}. They are looked for when the bean is
 * defined, so an application that is processed ahead of time has them without looking.
 */
final class EventClasses {

  static final String BEAN = "outledgerEventClasses";

  private static final Logger LOG = LoggerFactory.getLogger(EventClasses.class);

  private final Class<?>[] classes;

  EventClasses(Class<?>[] classes) {
    this.classes = classes.clone();
  }

  List<Class<?>> all() {
    return List.of(classes);
  }

  /** Looks in the application's packages, or in those that are configured. */
  static final class Registrar
      implements ImportBeanDefinitionRegistrar,
          EnvironmentAware,
          ResourceLoaderAware,
          BeanFactoryAware {

    private @Nullable Environment environment;
    private @Nullable ResourceLoader resources;
    private @Nullable ConfigurableListableBeanFactory beans;

    @Override
    public void setEnvironment(Environment value) {
      environment = value;
    }

    @Override
    public void setResourceLoader(ResourceLoader value) {
      resources = value;
    }

    @Override
    public void setBeanFactory(BeanFactory value) {
      beans = (ConfigurableListableBeanFactory) value;
    }

    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata importing, BeanDefinitionRegistry registry) {
      RootBeanDefinition definition = new RootBeanDefinition(EventClasses.class);
      definition.getConstructorArgumentValues().addIndexedArgumentValue(0, find());
      definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
      registry.registerBeanDefinition(BEAN, definition);
    }

    private Class<?>[] find() {
      ConfigurableListableBeanFactory factory = Objects.requireNonNull(beans);
      Environment properties = Objects.requireNonNull(environment);
      List<String> packages =
          Binder.get(properties)
              .bind("outledger.events.packages", Bindable.listOf(String.class))
              .orElseGet(List::of);
      boolean areConfigured = !packages.isEmpty();
      if (!areConfigured && AutoConfigurationPackages.has(factory)) {
        packages = AutoConfigurationPackages.get(factory);
      }
      var scanner = new ClassPathScanningCandidateComponentProvider(false, properties);
      // The application's own has read most of these classes already, and remembers them.
      scanner.setResourceLoader(Objects.requireNonNull(resources));
      scanner.addIncludeFilter(new AnnotationTypeFilter(OutboxEvent.class, false));
      var names = new TreeSet<String>();
      for (String each : packages) {
        Set<BeanDefinition> here = scanner.findCandidateComponents(each);
        here.forEach(found -> names.add(String.valueOf(found.getBeanClassName())));
        if (here.isEmpty() && areConfigured) {
          LOG.warn(
              "outledger.events.packages names {}, and neither it nor a package below it has a"
                  + " class with @OutboxEvent: events from there cannot be appended. Is it"
                  + " misspelt?",
              each);
        }
      }
      ClassLoader loader = factory.getBeanClassLoader();
      return names.stream()
          .map(name -> ClassUtils.resolveClassName(name, loader))
          .toArray(Class<?>[]::new);
    }
  }
}
