// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;

/**
 * How the longest time of a delivery is shared out, so that looking up a topic, waiting for room in
 * the producer's buffer and being on the way stay within it together.
 *
 * @param totalMs for everything together
 * @param lookupMs until the producer has the message: for the look-up of its topic, and for room in
 *     the producer's buffer
 * @param blockMs for one call of the producer, which blocks its caller where it has forgotten a
 *     topic
 * @param deliveryMs from the buffer to the acknowledgement, with all of Kafka's own retries
 * @param requestMs for one request; shorter, so that a dead connection is noticed and retried
 */
record DeliveryTimes(int totalMs, int lookupMs, int blockMs, int deliveryMs, int requestMs) {

  private static final int LOOKUP_MS_MAX = 5_000;
  private static final int BLOCK_MS_MAX = 50;

  /** Shares out a delivery time; what is below a few milliseconds is taken for these. */
  static DeliveryTimes within(Duration deliveryTimeMax) {
    int totalMs = (int) Math.min(Integer.MAX_VALUE, Math.max(10, deliveryTimeMax.toMillis()));
    int lookupMs = Math.min(LOOKUP_MS_MAX, totalMs / 5 * 2);
    int blockMs = Math.min(BLOCK_MS_MAX, lookupMs);
    int deliveryMs = totalMs - lookupMs;
    return new DeliveryTimes(totalMs, lookupMs, blockMs, deliveryMs, deliveryMs / 3 * 2);
  }
}
