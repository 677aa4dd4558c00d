// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a value of any type by reflection, for calls in which only one argument matters. */
final class Samples {

  private static final int DEPTH_MAX = 5;

  private static final Map<Class<?>, Object> PLAIN =
      Map.ofEntries(
          Map.entry(int.class, 1),
          Map.entry(long.class, 1L),
          Map.entry(short.class, (short) 1),
          Map.entry(byte.class, (byte) 1),
          Map.entry(double.class, 1.0),
          Map.entry(boolean.class, true),
          Map.entry(Integer.class, 1),
          Map.entry(Long.class, 1L),
          Map.entry(Object.class, "x"),
          Map.entry(String.class, "x"),
          Map.entry(Duration.class, Duration.ofSeconds(1)),
          Map.entry(Instant.class, Instant.EPOCH),
          Map.entry(UUID.class, new UUID(0, 1)),
          Map.entry(URI.class, URI.create("https://localhost/")),
          Map.entry(Class.class, String.class),
          Map.entry(Throwable.class, new IllegalStateException("x")),
          Map.entry(Exception.class, new IllegalStateException("x")),
          Map.entry(Optional.class, Optional.empty()),
          Map.entry(Map.class, Map.of("bootstrap.servers", "localhost:1", "group.id", "g")),
          Map.entry(Set.class, Set.of("x")),
          Map.entry(List.class, List.of()),
          Map.entry(Collection.class, List.of()));

  private final Map<Class<?>, Optional<Object>> made = new HashMap<>();

  /** Takes a value for its class from the caller, where reflection could not make one. */
  <T> Samples with(Class<T> type, T value) {
    made.put(type, Optional.of(value));
    return this;
  }

  /** Returns a value of the type, or empty where none could be made. */
  Optional<Object> of(Class<?> type) {
    return of(type, DEPTH_MAX);
  }

  private Optional<Object> of(Class<?> type, int depth) {
    Object plain = PLAIN.get(type);
    if (plain != null) {
      return Optional.of(plain);
    }
    Optional<Object> known = made.get(type);
    if (known == null || (known.isEmpty() && depth == DEPTH_MAX)) {
      known = depth == 0 ? Optional.empty() : make(type, depth);
      made.put(type, known);
    }
    return known;
  }

  private Optional<Object> make(Class<?> type, int depth) {
    if (type.isArray()) {
      return of(type.getComponentType(), depth - 1).map(element -> arrayOf(type, element));
    }
    if (type.isEnum()) {
      return Optional.of(type.getEnumConstants()[0]);
    }
    if (type.isSealed()) {
      return Stream.of(type.getPermittedSubclasses())
          .map(each -> of(each, depth - 1))
          .flatMap(Optional::stream)
          .findFirst();
    }
    if (type.isInterface()) {
      return Optional.of(proxy(type));
    }
    Comparator<Executable> fewest = Comparator.comparing(Executable::getParameterCount);
    return Stream.<Executable>concat(Stream.of(type.getConstructors()), factories(type))
        .filter(each -> !Modifier.isAbstract(type.getModifiers()) || each instanceof Method)
        .sorted(fewest.thenComparing(Executable::toString))
        .map(each -> attempt(each, depth))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Stream<Method> factories(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return Stream.concat(
            Stream.of(type.getMethods()),
            outer == null ? Stream.empty() : Stream.of(outer.getMethods()))
        .filter(method -> Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getReturnType() == type);
  }

  private Optional<Object> attempt(Executable each, int depth) {
    @Nullable Object[] arguments = new Object[each.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      Optional<Object> argument = of(each.getParameterTypes()[i], depth - 1);
      if (argument.isEmpty()) {
        return Optional.empty();
      }
      arguments[i] = argument.get();
    }
    try {
      return Optional.ofNullable(call(each, null, arguments));
    } catch (InvocationTargetException e) {
      return Optional.empty();
    }
  }

  /** Calls a constructor or a method. */
  static @Nullable Object call(Executable each, @Nullable Object on, @Nullable Object... arguments)
      throws InvocationTargetException {
    try {
      return each instanceof Method method
          ? method.invoke(on, arguments)
          : ((Constructor<?>) each).newInstance(arguments);
    } catch (IllegalAccessException | InstantiationException e) {
      throw new IllegalStateException(each.toString(), e);
    }
  }

  private static Object arrayOf(Class<?> type, Object element) {
    Object array = Array.newInstance(type.getComponentType(), 1);
    Array.set(array, 0, element);
    return array;
  }

  private Object proxy(Class<?> type) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "toString" -> "a " + type.getSimpleName();
              case "hashCode" -> System.identityHashCode(proxy);
              case "equals" -> proxy == arguments[0];
              default ->
                  method.isDefault()
                      ? InvocationHandler.invokeDefault(proxy, method, arguments)
                      : PLAIN.get(method.getReturnType());
            });
  }
}
