// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.time.Duration;

/**
 * What is measured, and how long.
 *
 * @param messages how many messages wait in the ledger
 * @param rounds how often the relay and the bare read are measured
 * @param latency how long messages are timed on their way, for each of the two writers
 * @param inboxRecords how many records the inbox is filled with, to weigh them
 */
record RelayPlan(int messages, int rounds, Duration latency, int inboxRecords) {

  /** The most messages of a page, on both sides: the relay's default. */
  static final int PAGE = 5_000;

  private static final Duration LATENCY = Duration.ofSeconds(24);
  private static final int INBOX_RECORDS = 100_000;

  static RelayPlan of(int messages, int rounds) {
    return new RelayPlan(messages, rounds, LATENCY, INBOX_RECORDS);
  }
}
