// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Cancels a scheduled message: it is never delivered. Where it does not wait, nothing is done, and
 * the result says so.
 *
 * @param id its id; null where the name is given
 * @param name the name under which it waits; null where the id is given
 */
public record CancelScheduled(@Nullable UUID id, @Nullable String name)
    implements Verb.OfScheduled {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid, {@code
   *     OUT-021} unless one of them is given
   */
  public CancelScheduled {
    VerbChecks.scheduled(id, name);
  }

  /** Cancels the message with an id. */
  public static CancelScheduled id(UUID id) {
    return new CancelScheduled(Require.nonNull("id", id), null);
  }

  /** Cancels the message that waits under a name. */
  public static CancelScheduled named(String name) {
    return new CancelScheduled(null, Require.nonNull("name", name));
  }

  @Override
  public Reader reader() {
    return Reader.LEDGER;
  }
}
