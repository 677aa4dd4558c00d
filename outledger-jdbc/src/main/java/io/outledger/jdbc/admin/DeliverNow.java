// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes a scheduled message due now: it enters the ledger within about a second. Where it does not
 * wait, nothing is done, and the result says so.
 *
 * @param id its id; null where the name is given
 * @param name the name under which it waits; null where the id is given
 */
public record DeliverNow(@Nullable UUID id, @Nullable String name) implements Verb.OfScheduled {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid, {@code
   *     OUT-021} unless one of them is given
   */
  public DeliverNow {
    VerbChecks.scheduled(id, name);
  }

  /** Delivers the message with an id. */
  public static DeliverNow id(UUID id) {
    return new DeliverNow(Require.nonNull("id", id), null);
  }

  /** Delivers the message that waits under a name. */
  public static DeliverNow named(String name) {
    return new DeliverNow(null, Require.nonNull("name", name));
  }

  @Override
  public Reader reader() {
    return Reader.LEDGER;
  }
}
