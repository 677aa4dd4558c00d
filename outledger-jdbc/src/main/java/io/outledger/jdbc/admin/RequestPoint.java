// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.time.Instant;
import java.util.UUID;

/**
 * A request's place among all requests: by the time at which it was asked for, and by its id.
 *
 * @param askedAt when it was asked for, by the database's clock
 * @param id its id
 */
public record RequestPoint(Instant askedAt, UUID id) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public RequestPoint {
    Require.nonNull("askedAt", askedAt);
    Require.nonNull("id", id);
  }
}
