// SPDX-License-Identifier: Apache-2.0
package io.outledger.time;

import java.time.Instant;

/** The system's clocks. No other class of the product reads them. */
enum SystemTime implements TimeSource {
  INSTANCE;

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
