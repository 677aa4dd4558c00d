// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.Require;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events that one entity has raised, in order. An event stays here until the transaction that
 * appended it has committed; a roll-back changes nothing, so that a retry finds it again.
 *
 * <p>It remembers the order across entities, too: events of several entities are appended in the
 * order in which they were raised. Not part of the entity's persistent state. Not thread-safe, as
 * an entity is not.
 */
public final class RaisedEvents {

  private final List<RaisedEvent> events = new ArrayList<>();

  // The last result of raised(); null where the events have changed since.
  private @Nullable List<RaisedEvent> copy;

  /** Creates it, with no event. */
  public RaisedEvents() {}

  /**
   * Adds an event.
   *
   * @param event an event of any class that is registered with Outledger; not null
   */
  public void raise(Object event) {
    events.add(RaisedEvent.now(Require.nonNull("event", event)));
    copy = null;
  }

  /** Returns the events whose transaction has not yet committed, in the order raised; a copy. */
  public List<Object> list() {
    return events.stream().map(RaisedEvent::event).toList();
  }

  /**
   * Forgets all events. Those that a flush has captured are appended all the same, because their
   * changes were written with them.
   */
  public void discard() {
    events.clear();
    copy = null;
  }

  /** Returns all events, in order: the same list as long as they are the same. */
  List<RaisedEvent> raised() {
    List<RaisedEvent> all = copy;
    if (all == null) {
      all = List.copyOf(events);
      copy = all;
    }
    return all;
  }

  void remove(Identities<RaisedEvent> committed) {
    events.removeIf(committed::contains);
    copy = null;
  }
}
