// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Message;
import io.outledger.Require;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message with its place in the ledger.
 *
 * @param position its number in the ledger, 1 or more
 * @param message the message; of one that cannot be read, what can be: at least id, topic, key,
 *     type and version
 * @param unreadable why it cannot be read or is not to be loaded, for people; null where it is
 *     whole. Such a message takes its turn in its key and is a dead letter at once: one row of a
 *     writer that keeps to no limits stops no relay
 * @param erased whether an operator has erased its payload and headers. A relay settles it without
 *     publishing it
 */
public record LedgerMessage(
    long position, Message message, @Nullable String unreadable, boolean erased) {

  /** The memory that a header takes besides its text, in bytes: two strings and a map entry. */
  public static final int HEADER_BYTES = 140;

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public LedgerMessage {
    Require.nonNull("message", message);
  }

  /** Makes one that was not erased. */
  public LedgerMessage(long position, Message message, @Nullable String unreadable) {
    this(position, message, unreadable, false);
  }

  /** Makes one that is whole. */
  public LedgerMessage(long position, Message message) {
    this(position, message, null);
  }

  /**
   * Returns about how many bytes of memory its payload and headers take. Many small headers take
   * far more than their text.
   */
  public long bytes() {
    long bytes = message.payload().length;
    if (message.headers().isEmpty()) {
      return bytes; // most have none, and a relay asks this of each message
    }
    for (Map.Entry<String, String> header : message.headers().entrySet()) {
      bytes += HEADER_BYTES + 2L * (header.getKey().length() + header.getValue().length());
    }
    return bytes;
  }
}
