// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entities with Spring Data's two annotations: one method returns the events, another forgets them
 * all. Nothing of Spring Data needs to be there.
 */
final class AnnotatedSource implements EventSource {

  private static final Logger LOG = LoggerFactory.getLogger(AnnotatedSource.class);

  private final Method events;
  private final Method forget;

  AnnotatedSource(Method events, Method forget) {
    this.events = events;
    this.forget = forget;
  }

  @Override
  public List<RaisedEvent> read(Object entity, List<RaisedEvent> known) {
    Collection<?> now = events(entity);
    IdentityHashMap<Object, Deque<RaisedEvent>> occurrences = new IdentityHashMap<>();
    for (RaisedEvent each : known) {
      occurrences.computeIfAbsent(each.event(), event -> new ArrayDeque<>()).add(each);
    }
    List<RaisedEvent> read = new ArrayList<>(now.size());
    for (Object event : now) {
      if (event == null) {
        throw new InvalidMessageException(
            ErrorCode.INVALID_MESSAGE, events + " returned an event that is null");
      }
      Deque<RaisedEvent> same = occurrences.get(event);
      RaisedEvent before = same == null ? null : same.poll();
      read.add(before == null ? RaisedEvent.now(event) : before);
    }
    return read;
  }

  @Override
  public boolean forgetsOnlyWhatWasDiscarded() {
    return false;
  }

  @Override
  public void forget(Object entity, List<RaisedEvent> committed) {
    Identities<RaisedEvent> done = Identities.of(committed);
    List<RaisedEvent> left = read(entity, committed);
    if (left.isEmpty()) {
      return;
    }
    long more = left.stream().filter(raised -> !done.contains(raised)).count();
    if (more > 0) {
      LOG.warn(
          "{} events of a {} are forgotten without being appended: they were raised after the"
              + " commit's last flush",
          more,
          entity.getClass().getName());
    }
    call(forget, entity);
  }

  private Collection<?> events(Object entity) {
    Object result = call(events, entity);
    if (result == null) {
      return List.of();
    }
    return result instanceof Collection<?> several ? several : List.of(result);
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
