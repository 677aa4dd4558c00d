// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;

/**
 * How fast a request for many messages goes on, and when it stops by itself.
 *
 * @param perSecond at most this many messages a second; 0 for as many as can be
 * @param failuresMax it stops once this many messages have failed again; 0 for never
 */
public record Pace(int perSecond, int failuresMax) {

  /** As fast as can be, to the end. */
  public static final Pace UNLIMITED = new Pace(0, 0);

  /**
   * Checks what is given.
   *
   * @throws ConfigurationException {@code OUT-021} if one is negative
   */
  public Pace {
    if (perSecond < 0 || failuresMax < 0) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "perSecond is %s and failuresMax is %s but neither must be negative"
              .formatted(perSecond, failuresMax));
    }
  }

  /** Returns up to how many failures have to be counted to know whether it stops. */
  public int failuresCounted() {
    return Math.max(Count.MAX, Math.min(failuresMax, Integer.MAX_VALUE - 1)) + 1;
  }
}
