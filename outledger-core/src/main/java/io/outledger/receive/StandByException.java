// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Require;

/**
 * Another instance receives now, and this one stands by: no failure. The receiver logs it once at
 * {@code INFO}, and opens a consumer again after a pause.
 */
public final class StandByException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates it.
   *
   * @param text who receives, for how long this instance stands by, and what to do if it should not
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public StandByException(String text) {
    super(Require.nonNull("text", text));
  }
}
