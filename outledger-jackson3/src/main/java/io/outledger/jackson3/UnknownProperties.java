// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson3;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells the caller of a reading which properties a class does not have. A property that the class
 * writes and does not read, such as one that is computed, is none of them. Thread-safe.
 */
final class UnknownProperties extends DeserializationProblemHandler {

  /** One reading: the class of the event, and who is told. */
  private record Reading(Class<?> event, Consumer<String> told) {

    void tell(Class<?> owner, String property) {
      told.accept(owner == event ? property : owner.getSimpleName() + "." + property);
    }
  }

  private final Supplier<JsonMapper> mapper;
  private final Map<Class<?>, Set<String>> written = new ConcurrentHashMap<>();

  /** Creates it for a mapper that is not built yet. */
  UnknownProperties(Supplier<JsonMapper> mapper) {
    this.mapper = mapper;
  }

  /** Returns a reader that tells of each unknown property. */
  static ObjectReader told(ObjectReader reader, Class<?> event, Consumer<String> told) {
    return reader.withAttribute(Reading.class, new Reading(event, told));
  }

  @Override
  public boolean handleUnknownProperty(
      DeserializationContext context,
      JsonParser parser,
      ValueDeserializer<?> deserializer,
      Object beanOrClass,
      String property) {
    Class<?> owner = beanOrClass instanceof Class<?> type ? type : beanOrClass.getClass();
    if (written.computeIfAbsent(owner, this::writtenBy).contains(property)) {
      parser.skipChildren();
      return true;
    }
    if (context.getAttribute(Reading.class) instanceof Reading reading) {
      reading.tell(owner, property);
    }
    return false;
  }

  private Set<String> writtenBy(Class<?> owner) {
    JsonMapper built = mapper.get();
    return built
        ._serializationContext()
        .introspectBeanDescription(built.constructType(owner))
        .findProperties()
        .stream()
        .filter(BeanPropertyDefinition::couldSerialize)
        .map(BeanPropertyDefinition::getName)
        .collect(Collectors.toUnmodifiableSet());
  }
}
