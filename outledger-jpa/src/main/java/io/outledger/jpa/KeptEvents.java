// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.Printable;
import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Events of entities that no longer show them, although they are still to be appended. It keeps no
 * entity from the garbage collector, unless the events refer to it: hence the limit. Thread-safe.
 */
final class KeptEvents {

  static final int ENTITIES_MAX = 1_000;

  private static final QuietLog LOG =
      new QuietLog(KeptEvents.class, "domain events", TimeSource.system());

  private final Map<Key, List<Object>> events = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** An entity, by identity: its own equals may say anything. */
  private static final class Key extends WeakReference<Object> {

    private final int hash;

    Key(Object entity, @Nullable ReferenceQueue<Object> collected) {
      super(entity, collected);
      this.hash = System.identityHashCode(entity);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // what this class is for
    public boolean equals(Object other) {
      if (this == other) {
        return true;
      }
      Object entity = get();
      return entity != null && other instanceof Key key && key.get() == entity;
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** Returns what is kept for an entity, in order; mostly nothing. */
  List<Object> of(Object entity) {
    return events.isEmpty() ? List.of() : events.getOrDefault(new Key(entity, null), List.of());
  }

  /** Keeps these events of an entity, and no others. */
  void keep(Object entity, List<Object> all) {
    Object old;
    while ((old = collected.poll()) != null) {
      events.remove(old);
    }
    Key key = new Key(entity, collected);
    if (all.isEmpty()) {
      events.remove(key);
    } else if (events.size() < ENTITIES_MAX || events.containsKey(key)) {
      events.put(key, List.copyOf(all));
    } else {
      LOG.say(
          Level.WARN,
          "not kept",
          () ->
              ("%s of a %s are not kept for a retry: those of %s entities are already. Retry with"
                      + " new instances.")
                  .formatted(
                      Printable.count(all.size(), "event"),
                      entity.getClass().getName(),
                      ENTITIES_MAX));
    }
  }
}
