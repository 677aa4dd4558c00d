// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.ConfigurationException;
import io.outledger.Problems;
import java.lang.annotation.Annotation;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Finds out how entities show their events, once for each class. Thread-safe. */
final class EventSources {

  private static final String REFUSED = "domain events cannot be captured";

  // Compared as text, so that Spring Data may be absent. No class is loaded by these names.
  private static final String EVENTS = "org.springframework.data.domain.DomainEvents";
  private static final String FORGET =
      "org.springframework.data.domain.AfterDomainEventPublication";

  private final Map<Class<?>, Optional<EventSource>> sources = new ConcurrentHashMap<>();

  /**
   * Looks at all classes of a persistence unit.
   *
   * @throws ConfigurationException {@code OUT-021} listing every problem
   */
  static EventSources of(Collection<Class<?>> entities) {
    EventSources found = new EventSources();
    Problems problems = Problems.of(REFUSED);
    for (Class<?> entity : entities) {
      found.sources.put(entity, find(entity, problems));
    }
    problems.refuse();
    return found;
  }

  /** Returns how entities of a class show their events; null where they have none. */
  @Nullable EventSource of(Class<?> entity) {
    return sources.computeIfAbsent(entity, EventSources::findOne).orElse(null);
  }

  private static Optional<EventSource> findOne(Class<?> entity) {
    Problems problems = Problems.of(REFUSED);
    Optional<EventSource> found = find(entity, problems);
    problems.refuse();
    return found;
  }

  private static Optional<EventSource> find(Class<?> entity, Problems problems) {
    Method events = annotated(entity, EVENTS);
    if (events == null) {
      return HasDomainEvents.class.isAssignableFrom(entity)
          ? Optional.of(OwnSource.INSTANCE)
          : Optional.empty();
    }
    Method forget = annotated(entity, FORGET);
    List<String> here = new ArrayList<>();
    if (HasDomainEvents.class.isAssignableFrom(entity)) {
      here.add("it implements HasDomainEvents, too; choose one");
    }
    if (forget == null) {
      here.add("no method has @AfterDomainEventPublication, so its events could not be forgotten");
    }
    usable(events, here);
    usable(forget, here);
    if (!here.isEmpty() || forget == null) {
      problems.add(entity.getName() + " has @DomainEvents: " + String.join(", ", here));
      return Optional.empty();
    }
    return Optional.of(new AnnotatedSource(events, forget));
  }

  private static void usable(@Nullable Method method, List<String> problems) {
    if (method == null) {
      return;
    }
    if (method.getParameterCount() > 0 || Modifier.isStatic(method.getModifiers())) {
      problems.add(method + " must be an instance method without parameters");
      return;
    }
    try {
      method.setAccessible(true);
    } catch (InaccessibleObjectException e) {
      problems.add(method + " cannot be called: open its package to io.outledger.jpa");
    }
  }

  private static @Nullable Method annotated(Class<?> entity, String annotation) {
    for (Class<?> each : classesThenInterfaces(entity)) {
      for (Method method : each.getDeclaredMethods()) {
        if (!method.isBridge() && has(method, annotation)) {
          return method;
        }
      }
    }
    return null;
  }

  private static Set<Class<?>> classesThenInterfaces(Class<?> entity) {
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> each = entity; each != null; each = each.getSuperclass()) {
      all.add(each);
    }
    for (Class<?> each : List.copyOf(all)) {
      addInterfaces(each, all);
    }
    return all;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> all) {
    for (Class<?> each : type.getInterfaces()) {
      if (all.add(each)) {
        addInterfaces(each, all);
      }
    }
  }

  private static boolean has(Method method, String annotation) {
    for (Annotation each : method.getDeclaredAnnotations()) {
      if (each.annotationType().getName().equals(annotation)) {
        return true;
      }
    }
    return false;
  }
}
