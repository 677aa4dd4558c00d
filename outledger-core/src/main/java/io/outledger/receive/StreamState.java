// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

/**
 * The state of one stream. After a failure its messages are processed one at a time, so that those
 * before the bad one take effect and the bad one is found; then in growing batches again.
 */
final class StreamState {

  private static final int BATCH_MAX = 1 << 20;

  private int batchMax = BATCH_MAX;
  private int failures;
  private long usedAt;

  /** Notes when it has delivered something. */
  void used(long nanos) {
    usedAt = nanos;
  }

  /** Returns when it delivered something at last. */
  long usedAt() {
    return usedAt;
  }

  /** Returns how many messages may be processed at once. */
  int batchMax() {
    return batchMax;
  }

  /** Returns whether its messages may be processed in batches of this size. */
  boolean isWell(int batchSize) {
    return failures == 0 && batchMax >= batchSize;
  }

  /** Notes that a batch is done with, and returns how many failures in a row that has ended. */
  int succeeded() {
    int ended = failures;
    failures = 0;
    batchMax = Math.min(BATCH_MAX, 2 * batchMax);
    return ended;
  }

  /** Returns how many failures there were in a row. */
  int failures() {
    return failures;
  }

  /** Notes a failure, and returns how many there were in a row. */
  int failed() {
    batchMax = 1;
    return ++failures;
  }
}
