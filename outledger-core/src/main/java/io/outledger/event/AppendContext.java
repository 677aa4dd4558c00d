// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Message;

/**
 * The context of an event's guard, enrichment and mapping while the event is appended. Valid for
 * that call only, on its thread.
 */
public interface AppendContext {

  /**
   * Returns the outbox's instance of a type. An outbox of outledger-jdbc has the transaction's
   * {@code java.sql.Connection}, which must not be committed, rolled back or closed.
   *
   * @param type the type, matched exactly
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the outbox has nothing of this
   *     type; give it to {@code InMemoryOutbox.with(…)} in a test
   */
  <T> T resource(Class<T> type);

  /**
   * Turns an event of a registered class into a message, for a mapping that changes its id or key:
   * {@code context.message(event).copy().key(…).build()}. No guard, enrichment or mapping is
   * applied.
   *
   * @throws io.outledger.InvalidMessageException as {@link Events#message} does
   */
  Message message(Object event);
}
