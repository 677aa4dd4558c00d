// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.Message;
import io.outledger.Require;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits in an {@link InMemoryOutbox}.
 *
 * @param given the event or message as it was scheduled, before enrichment and mapping
 * @param message the message that it became
 * @param dueAt when it is delivered
 * @param name the name under which it waits; null where it has none
 */
public record ScheduledMessage(
    Object given, Message message, Instant dueAt, @Nullable String name) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null that must not
   *     be
   */
  public ScheduledMessage {
    Require.nonNull("given", given);
    Require.nonNull("message", message);
    Require.nonNull("dueAt", dueAt);
  }
}
