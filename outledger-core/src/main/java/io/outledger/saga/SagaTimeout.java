// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.Require;
import java.time.Instant;
import java.util.UUID;

/**
 * A time-out that a saga waits for.
 *
 * @param name its name in the saga
 * @param token the id of its message: one that comes with another id is of an earlier time-out
 * @param due about when it comes; for people, as the database's clock decides
 */
public record SagaTimeout(String name, UUID token, Instant due) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public SagaTimeout {
    Require.nonNull("name", name);
    Require.nonNull("token", token);
    Require.nonNull("due", due);
  }
}
