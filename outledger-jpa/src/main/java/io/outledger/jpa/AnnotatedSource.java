// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entities with Spring Data's two annotations: one method returns the events, another forgets them
 * all. Nothing of Spring Data needs to be there.
 */
final class AnnotatedSource implements EventSource {

  private final Method events;
  private final Method forget;

  // What entities were told to forget before it was committed.
  private final KeptEvents kept = new KeptEvents();

  AnnotatedSource(Method events, Method forget) {
    this.events = events;
    this.forget = forget;
  }

  @Override
  public List<RaisedEvent> read(Object entity, List<RaisedEvent> known) {
    List<Object> now = events(entity);
    int same = 0;
    while (same < Math.min(now.size(), known.size()) && isOf(known.get(same), now.get(same))) {
      same++;
    }
    if (same == now.size() && same == known.size()) {
      return known;
    }
    List<RaisedEvent> read = new ArrayList<>(known.subList(0, same));
    boolean more = false;
    IdentityHashMap<Object, Deque<RaisedEvent>> others = byEvent(known.subList(same, known.size()));
    for (Object event : now.subList(same, now.size())) {
      Deque<RaisedEvent> occurrences = others.get(event);
      RaisedEvent before = occurrences == null ? null : occurrences.poll();
      read.add(before == null ? RaisedEvent.now(event) : before);
      more |= before == null;
    }
    if (more) {
      checkReadsTheSame(entity, now);
    }
    return read;
  }

  @SuppressWarnings("ReferenceEquality") // equal events are two events
  private static boolean isOf(RaisedEvent raised, Object event) {
    return raised.event() == event;
  }

  private static IdentityHashMap<Object, Deque<RaisedEvent>> byEvent(List<RaisedEvent> events) {
    IdentityHashMap<Object, Deque<RaisedEvent>> occurrences = new IdentityHashMap<>();
    for (RaisedEvent each : events) {
      occurrences.computeIfAbsent(each.event(), event -> new ArrayDeque<>()).add(each);
    }
    return occurrences;
  }

  // A method that makes its events when it is asked would have them appended at every flush.
  @SuppressWarnings("ReferenceEquality")
  private void checkReadsTheSame(Object entity, List<Object> first) {
    List<Object> second = events(entity);
    boolean same = first.size() == second.size();
    for (int i = 0; same && i < first.size(); i++) {
      same = first.get(i) == second.get(i);
    }
    if (!same) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          events
              + " returned other events when it was called again: it must return the same objects"
              + " until "
              + forget.getName()
              + "() is called. Make an event when it happens, and keep it in a field marked"
              + " @Transient");
    }
  }

  @Override
  public boolean forgetsOnlyWhatWasDiscarded() {
    return false;
  }

  @Override
  public boolean keepsTheOrder() {
    return false;
  }

  @Override
  public void rolledBack(Object entity, List<RaisedEvent> captured) {
    Identities<Object> shown = Identities.of(events(entity));
    List<Object> missing =
        captured.stream().map(RaisedEvent::event).filter(event -> !shown.contains(event)).toList();
    if (!missing.isEmpty()) {
      List<Object> all = new ArrayList<>(missing);
      all.addAll(kept.of(entity));
      kept.keep(entity, all);
    }
  }

  // It can only forget all; what comes with a later flush is kept for it.
  @Override
  public void forget(Object entity, List<RaisedEvent> committed) {
    Identities<RaisedEvent> done = Identities.of(committed);
    List<RaisedEvent> left = read(entity, committed);
    if (left.isEmpty()) {
      return;
    }
    List<Object> later =
        left.stream().filter(each -> !done.contains(each)).map(RaisedEvent::event).toList();
    call(forget, entity);
    kept.keep(entity, later);
  }

  private List<Object> events(Object entity) {
    List<Object> read = new ArrayList<>(kept.of(entity));
    Object result = call(events, entity);
    if (result == null) {
      return read;
    }
    for (Object event : result instanceof Collection<?> several ? several : List.of(result)) {
      if (event == null) {
        throw new InvalidMessageException(
            ErrorCode.INVALID_MESSAGE, events + " returned an event that is null");
      }
      read.add(event);
    }
    return read;
  }

  private static @Nullable Object call(Method method, Object entity) {
    try {
      return method.invoke(entity);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw failed(method, e.getCause());
    } catch (IllegalAccessException e) {
      throw failed(method, e);
    }
  }

  private static InvalidMessageException failed(Method method, @Nullable Throwable cause) {
    return new InvalidMessageException(ErrorCode.INVALID_MESSAGE, method + " failed", cause);
  }
}
