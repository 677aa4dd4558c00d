// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.spring.Inboxed;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.aot.BeanFactoryInitializationCode;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Tells a native image what is found by reflection: event classes, which are written and read as
 * JSON, the methods of handlers and inboxes, and the scripts that make the tables.
 */
class AheadOfTime implements BeanFactoryInitializationAotProcessor {

  @Override
  public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
      ConfigurableListableBeanFactory beans) {
    if (!beans.containsBeanDefinition(EventClasses.BEAN)) {
      return null;
    }
    List<Class<?>> events = beans.getBean(EventClasses.BEAN, EventClasses.class).all();
    List<Method> methods =
        Stream.of(OutboxHandler.class, InboxListener.class, Inboxed.class)
            .flatMap(annotation -> AnnotatedMethods.find(beans, annotation).stream())
            .map(AnnotatedMethods.Found::method)
            .toList();
    return new Hints(events, methods);
  }

  private record Hints(List<Class<?>> events, List<Method> methods)
      implements BeanFactoryInitializationAotContribution {

    @Override
    public void applyTo(GenerationContext generation, BeanFactoryInitializationCode code) {
      RuntimeHints hints = generation.getRuntimeHints();
      BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();
      for (Class<?> event : events) {
        binding.registerReflectionHints(hints.reflection(), event);
        hints.reflection().registerType(event, MemberCategory.INVOKE_DECLARED_METHODS);
      }
      for (Method method : methods) {
        hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
      }
      hints.resources().registerPattern("io/outledger/*/*.sql");
    }
  }
}
