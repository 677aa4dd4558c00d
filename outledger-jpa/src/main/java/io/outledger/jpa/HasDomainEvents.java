// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

/**
 * An entity that raises domain events. Extend {@link AggregateRoot}, or implement this where the
 * entity has another superclass:
 *
 * <pre>{@code
 * @Transient private final RaisedEvents events = new RaisedEvents();
 *
 * @Override
 * public RaisedEvents domainEvents() {
 *   return events;
 * }
 * }</pre>
 *
 * <p>The method is neither final nor private: Hibernate's proxies pass it on to the entity.
 */
public interface HasDomainEvents {

  /**
   * Returns the events that this entity has raised and whose transaction has not yet committed.
   *
   * @return always the same object; never null
   */
  RaisedEvents domainEvents();
}
