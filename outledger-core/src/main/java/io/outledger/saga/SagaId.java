// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.Name;
import io.outledger.Require;

/**
 * Which saga it is.
 *
 * @param saga the saga's name
 * @param key what tells its instances apart
 */
public record SagaId(String saga, String key) {

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid, {@code
   *     OUT-021} if the key is null, or cannot be stored
   */
  public SagaId {
    Name.check("saga", saga);
    Require.text("key", key);
  }

  /** Names it for people, such as {@code renewal of s-1}. */
  @Override
  public String toString() {
    return saga + " of " + key;
  }
}
