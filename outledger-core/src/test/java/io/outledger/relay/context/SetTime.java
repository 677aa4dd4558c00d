// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

import io.outledger.time.TimeSource;
import java.time.Instant;

/** A monotonic clock that shows what a test sets. */
public final class SetTime implements TimeSource {

  public long nanos = 1_000;

  @Override
  public Instant now() {
    return Instant.EPOCH;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }
}
