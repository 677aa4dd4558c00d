// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import io.outledger.inbox.Received;
import java.util.Optional;

/**
 * Knows the identity of the messages of a broker's client, so that methods with {@link Inboxed}
 * that take one need not say it, and remember a message as Outledger's own receiver of that broker
 * does. Thread-safe.
 */
public interface MessageIdentity {

  /** Returns whether parameters of a class are such messages. */
  boolean knows(Class<?> parameter);

  /**
   * Returns a message's identity and headers; its payload may be left out.
   *
   * @param message of a class that this {@linkplain #knows knows}
   * @throws io.outledger.InvalidMessageException {@code OUT-014} if it has none
   */
  Received of(Object message);

  /** Returns the one that knows a class; empty where none does. */
  static Optional<MessageIdentity> among(
      Iterable<? extends MessageIdentity> identities, Class<?> parameter) {
    for (MessageIdentity each : identities) {
      if (each.knows(parameter)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
