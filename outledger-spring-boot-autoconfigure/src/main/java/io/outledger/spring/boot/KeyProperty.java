// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.spring.PlainText;
import java.lang.reflect.Method;
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

  /** Finds {@code name()} or {@code getName()}; empty where the class has neither. */
  static Optional<KeyProperty> find(Class<?> eventClass, String name) {
    Method accessor = ReflectionUtils.findMethod(eventClass, name);
    if (accessor == null) {
      accessor = ReflectionUtils.findMethod(eventClass, "get" + StringUtils.capitalize(name));
    }
    return Optional.ofNullable(accessor).map(KeyProperty::new);
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
