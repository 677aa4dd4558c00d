// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Given;

/**
 * Which server answered a statement, and with which ledger. A pool, a proxy or a fail-over may
 * switch servers unseen, and a ledger may be emptied or restored: a relay that gets another answer
 * than at its take-over forgets everything and loads again.
 *
 * @param token a text of the store's own that changes with a restart of the server, with a
 *     fail-over, and whenever positions or writers' numbers may be handed out again. It is only
 *     compared
 */
public record ServerIdentity(String token) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public ServerIdentity {
    Given.check("token", token);
  }
}
