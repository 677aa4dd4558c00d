// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.Delivery;
import io.outledger.Outbox;
import io.outledger.Require;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** What surrounds a message of a saga. Valid for one call, on its thread. */
public interface SagaContext {

  /** Returns the key of the saga that the message belongs to. */
  String key();

  /**
   * Returns an outbox that appends, schedules and cancels in the transaction of this step. It
   * refuses a time-out of the saga with {@code OUT-040}: without a name of its own it would find no
   * saga.
   */
  Outbox outbox();

  /**
   * Appends events and messages in the transaction of this step.
   *
   * @return the ids of the messages, in order
   * @throws io.outledger.OutledgerException as {@link Outbox#append(Collection)} does
   */
  default List<UUID> append(Collection<?> eventsOrMessages) {
    return outbox().append(Require.nonNull("eventsOrMessages", eventsOrMessages));
  }

  /** Appends events and messages; see {@link #append(Collection)}. */
  default List<UUID> append(Object... eventsOrMessages) {
    return append(Arrays.asList(Require.nonNull("eventsOrMessages", eventsOrMessages)));
  }

  /**
   * Schedules an event or a message for everybody who takes it. It waits also when the saga has
   * ended, until it is cancelled. What only the saga itself is to get is a time-out: see {@link
   * SagaStep#timeoutAfter}.
   *
   * @return the id of the message, by which it can be cancelled
   * @throws io.outledger.OutledgerException as {@link Outbox#append(Object, Delivery)} does
   */
  default UUID append(Object event, Delivery when) {
    return outbox().append(Require.nonNull("event", event), Require.nonNull("when", when));
  }

  /** Cancels what waits by its id, as {@link Outbox#cancel(UUID)} does. */
  default boolean cancel(UUID id) {
    return outbox().cancel(Require.nonNull("id", id));
  }

  /** Cancels what waits by a name of the application, as {@link Outbox#cancel(String)} does. */
  default boolean cancel(String name) {
    return outbox().cancel(Require.nonNull("name", name));
  }

  /**
   * Returns what the step has of a type. On a database it is the transaction's {@code
   * java.sql.Connection}, which must not be committed, rolled back or closed.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if there is nothing of this type
   */
  <T> T resource(Class<T> type);
}
