// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A time source that moves on by its looks alone, each by so much, on a machine of any speed. */
record CountedTime(Duration look, AtomicLong nanos) implements TimeSource {

  static CountedTime of(Duration look) {
    return new CountedTime(look, new AtomicLong());
  }

  @Override
  public Instant now() {
    return TimeSource.system().now();
  }

  @Override
  public long nanoTime() {
    return nanos.addAndGet(look.toNanos());
  }
}
