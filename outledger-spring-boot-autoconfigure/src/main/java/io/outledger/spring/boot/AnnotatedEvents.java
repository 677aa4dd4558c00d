// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import io.outledger.event.EventType;
import io.outledger.event.EventTypes;
import java.util.List;
import org.springframework.core.env.Environment;

/** Registers the classes that are annotated with {@link OutboxEvent}. */
final class AnnotatedEvents implements EventTypesCustomizer {

  private final List<Class<?>> classes;
  private final Environment environment;
  private final Problems problems = Problems.of("classes with @OutboxEvent cannot be used");

  AnnotatedEvents(List<Class<?>> classes, Environment environment) {
    this.classes = classes;
    this.environment = environment;
  }

  @Override
  public void customize(EventTypes.Builder types) {
    classes.forEach(each -> register(types, each));
    problems.refuse();
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
        .formerly(said.formerly())
        .version(said.version())
        .topic(environment.resolveRequiredPlaceholders(said.topic()));
    if (said.keyless()) {
      type.keyless();
      return;
    }
    KeyProperty.find(eventClass, said.key())
        .ifPresentOrElse(
            key -> {
              key.problem().ifPresent(problems::add);
              type.key(key::of);
            },
            () ->
                problems.add(
                    eventClass.getName() + " has no property " + said.key() + " for its key"));
  }
}
