// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import java.util.List;

/** How the entities of one class show their events. Thread-safe. */
interface EventSource {

  /**
   * Returns the events that an entity has raised and not forgotten, in order.
   *
   * @param known what an earlier call returned: the same occurrence of an event is the same object
   */
  List<RaisedEvent> read(Object entity, List<RaisedEvent> known);

  /**
   * Returns whether an entity that forgets an event before its commit was told so by the
   * application: the event no longer counts. Otherwise a repository may have had it forgotten,
   * because it has published it.
   */
  boolean forgetsOnlyWhatWasDiscarded();

  /**
   * Returns whether an entity remembers when it has raised an event; else an event has the place in
   * the order at which it was first seen.
   */
  boolean keepsTheOrder();

  /**
   * Has an entity show events again that it no longer shows: the transaction that captured them was
   * rolled back.
   */
  void rolledBack(Object entity, List<RaisedEvent> captured);

  /** Has an entity forget events, because they were committed. */
  void forget(Object entity, List<RaisedEvent> committed);
}
