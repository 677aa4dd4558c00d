// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import io.outledger.Message;

/** The application's code that makes a mail of a message. Thread-safe. */
@FunctionalInterface
public interface MailMapper {

  /**
   * Returns the mail that tells of a message. It may be called again for the same message, so it
   * changes nothing.
   *
   * <p>An {@link io.outledger.InvalidMessageException}, as {@link Mail} throws it for an address
   * that cannot be one, makes the message a dead letter at once. Whatever else this throws is a
   * failed attempt, which also counts for the breaker.
   *
   * @param message the message
   */
  Mail map(Message message);
}
