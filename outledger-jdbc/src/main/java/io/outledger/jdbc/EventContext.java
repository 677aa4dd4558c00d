// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Outbox;
import io.outledger.inbox.Received;
import java.sql.Connection;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The context that a typed handler gets with the event, the same in a relay's handler and in an
 * inbox's. It is valid for one call, on its thread. Outledger makes it; a test may implement it.
 */
public interface EventContext {

  /**
   * Returns the connection of the transaction that remembers the message as handled. It must not be
   * committed, rolled back or closed.
   */
  Connection connection();

  /** Returns an outbox that appends in the same transaction. */
  Outbox outbox();

  /**
   * Returns the message: its id is the one that its sender gave it, a UUID where that was
   * Outledger.
   */
  Received message();

  /** Returns the message's ordering key; null where it has none. */
  default @Nullable String key() {
    return message().key();
  }

  /** Returns the message's headers, by name; possibly empty. */
  default Map<String, String> headers() {
    return message().headers();
  }

  /** Returns the message's position in this ledger; empty where it came from a broker. */
  OptionalLong position();

  /**
   * Returns the number of this attempt: 1 at first, and one more after each failed attempt that
   * counted. An outage, a crash or a lost lease counts none. A dead letter that is retried on
   * request continues to count. Empty if the message came from a broker and no receiver of
   * Outledger counts attempts.
   */
  OptionalInt attempt();
}
