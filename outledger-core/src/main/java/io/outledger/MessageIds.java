// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import io.outledger.time.TimeSource;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes message ids: UUIDs of version 7 (RFC 9562, section 5.7), which carry the time in
 * milliseconds in their first 48 bits and are random in the rest.
 *
 * <p>Thread-safe if its random generator is. Ids are never reused, not even after a database was
 * restored, because they are made by the client.
 */
public final class MessageIds {

  private static final MessageIds SYSTEM = new MessageIds(TimeSource.system(), new SecureRandom());

  private final TimeSource time;
  private final RandomGenerator random;

  /** Makes ids from the given time and randomness; for tests that need the same ids again. */
  public MessageIds(TimeSource time, RandomGenerator random) {
    this.time = Require.nonNull("time", time);
    this.random = Require.nonNull("random", random);
  }

  /** Returns the generator that uses the system's clock and a strong random source. */
  public static MessageIds system() {
    return SYSTEM;
  }

  /** Returns a new id. */
  public UUID next() {
    long millis = time.now().toEpochMilli();
    long high = (millis << 16) | 0x7000L | (random.nextLong() & 0x0fffL);
    long low = (random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
    return new UUID(high, low);
  }
}
