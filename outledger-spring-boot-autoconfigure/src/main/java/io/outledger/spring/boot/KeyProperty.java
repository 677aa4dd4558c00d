// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.spring.PlainText;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** The property of an event that is its key. */
final class KeyProperty {

  private final Method accessor;

  private KeyProperty(Method accessor) {
    this.accessor = accessor;
    ReflectionUtils.makeAccessible(accessor);
  }

  /**
   * Finds {@code name()} or {@code getName()}, or what Kotlin makes of the latter where the type is
   * a value class; empty where the class has none of them.
   */
  static Optional<KeyProperty> find(Class<?> eventClass, String name) {
    String getter = "get" + StringUtils.capitalize(name);
    return Optional.ofNullable(ReflectionUtils.findMethod(eventClass, name))
        .or(() -> Optional.ofNullable(ReflectionUtils.findMethod(eventClass, getter)))
        .or(() -> ofValueClass(eventClass, getter))
        .map(KeyProperty::new);
  }

  /** Kotlin appends a hash to the name, and the method returns what the value class holds. */
  private static Optional<Method> ofValueClass(Class<?> eventClass, String getter) {
    return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(eventClass))
        .filter(each -> each.getName().startsWith(getter + "-") && each.getParameterCount() == 0)
        .findFirst();
  }

  /** Says why the property's type cannot be a key; empty where it can be one. */
  Optional<String> problem() {
    return PlainText.isMissingIn(accessor.getReturnType())
        ? Optional.of(unusable(accessor.getReturnType()))
        : Optional.empty();
  }

  private String unusable(Class<?> type) {
    return accessor.getDeclaringClass().getName()
        + " has the key "
        + accessor.getName()
        + " of "
        + type.getTypeName()
        + ", which cannot be a key: "
        + PlainText.REMEDY;
  }

  /**
   * Returns the property's text; null where it is null.
   *
   * @throws InvalidMessageException {@code OUT-014} where it has none
   */
  @Nullable String of(Object event) {
    Object value = ReflectionUtils.invokeMethod(accessor, event);
    if (value != null && PlainText.isMissingIn(value.getClass())) {
      throw new InvalidMessageException(ErrorCode.INVALID_MESSAGE, unusable(value.getClass()));
    }
    return value == null ? null : value.toString();
  }
}
