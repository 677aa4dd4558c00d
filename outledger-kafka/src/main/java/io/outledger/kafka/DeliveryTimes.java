// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;

/**
 * How the longest time of a delivery is shared out, so that looking up a topic, waiting for room in
 * the producer's buffer and being on the way stay within it together.
 *
 * @param totalMs for everything together
 * @param blockMs for the look-up of a topic, and again for room in the buffer
 * @param deliveryMs from the buffer to the acknowledgement, with all of Kafka's own retries
 * @param requestMs for one request; shorter, so that a dead connection is noticed and retried
 */
record DeliveryTimes(int totalMs, int blockMs, int deliveryMs, int requestMs) {

  private static final int BLOCK_MS_MAX = 2_000;

  /** Shares out a delivery time; what is below a few milliseconds is taken for these. */
  static DeliveryTimes within(Duration deliveryTimeMax) {
    int totalMs = (int) Math.min(Integer.MAX_VALUE, Math.max(10, deliveryTimeMax.toMillis()));
    int blockMs = Math.min(BLOCK_MS_MAX, totalMs / 5);
    int deliveryMs = totalMs - 2 * blockMs;
    return new DeliveryTimes(totalMs, blockMs, deliveryMs, deliveryMs / 3 * 2);
  }
}
