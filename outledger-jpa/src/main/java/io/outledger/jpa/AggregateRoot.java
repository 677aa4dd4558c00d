// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

/**
 * A superclass for entities that raise domain events. It has no persistent state, and needs no
 * mapping: none of it reaches a table.
 *
 * <pre>{@code
 * @Entity
 * class Order extends AggregateRoot {
 *   void place() {
 *     status = PLACED;
 *     raise(new OrderPlaced(id));
 *   }
 * }
 * }</pre>
 *
 * <p>As thread-safe as an entity: one thread at a time.
 */
public class AggregateRoot implements HasDomainEvents {

  // Not serialised with a serialisable subclass: the class itself is not serialisable.
  private final RaisedEvents events = new RaisedEvents();

  /** For subclasses alone. */
  protected AggregateRoot() {}

  // Neither method is final: on a lazy proxy they would run on the proxy's own, empty state.

  /**
   * Raises an event. It is appended with the transaction that flushes this entity.
   *
   * @param event an event of any class that is registered with Outledger; not null
   */
  protected void raise(Object event) {
    events.raise(event);
  }

  @Override
  public RaisedEvents domainEvents() {
    return events;
  }
}
