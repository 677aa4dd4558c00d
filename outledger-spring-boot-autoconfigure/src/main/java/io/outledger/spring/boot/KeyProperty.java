// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

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

  /** Returns the property's text; null where it is null. */
  @Nullable String of(Object event) {
    Object value = ReflectionUtils.invokeMethod(accessor, event);
    return value == null ? null : value.toString();
  }
}
