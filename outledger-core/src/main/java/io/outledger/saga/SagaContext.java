// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

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
   * Appends events and messages in the transaction of this step.
   *
   * @return the ids of the messages, in order
   * @throws io.outledger.OutledgerException as {@link io.outledger.Outbox#append(Collection)} does
   */
  List<UUID> append(Collection<?> eventsOrMessages);

  /** Appends events and messages; see {@link #append(Collection)}. */
  default List<UUID> append(Object... eventsOrMessages) {
    return append(Arrays.asList(Require.nonNull("eventsOrMessages", eventsOrMessages)));
  }

  /**
   * Returns what the step has of a type. On a database it is the transaction's {@code
   * java.sql.Connection}, which must not be committed, rolled back or closed.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if there is nothing of this type
   */
  <T> T resource(Class<T> type);
}
