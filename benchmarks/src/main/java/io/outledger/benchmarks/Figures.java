// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.util.List;
import java.util.Map;

/**
 * What was measured.
 *
 * @param plan what was to be measured
 * @param rounds of both sides, one or more
 * @param server what they were measured on, and what they left behind
 * @param latency of single messages
 * @param cost of appends and of what is kept
 */
record Figures(RelayPlan plan, List<Round> rounds, Server server, Latency latency, Cost cost) {

  /**
   * One turn of each side.
   *
   * @param rawPerSecond messages that the bare read reads in a second
   * @param relayPerSecond messages that the relay publishes in a second, saves included
   * @param heapMib in use after a collection while the relay worked, at most
   * @param walBytes that the server logged while the relay worked
   * @param saves of the cursor
   */
  record Round(
      double rawPerSecond, double relayPerSecond, double heapMib, long walBytes, long saves) {

    double ratio() {
      return relayPerSecond / rawPerSecond;
    }
  }

  /**
   * The server.
   *
   * @param version of PostgreSQL
   * @param fsync as the server says
   * @param deadLedgerTuples after all rounds
   * @param deadCursorTuples after all rounds, of all their subscriptions
   */
  record Server(String version, String fsync, long deadLedgerTuples, long deadCursorTuples) {}

  /** Milliseconds from a commit to the publisher. */
  record Latency(Sample sameJvm, Sample otherProcess) {}

  /**
   * What else it costs.
   *
   * @param appendRoundTrips of one append, by its number of messages
   * @param bytesPerMessage in the ledger, index included
   * @param bytesPerInboxRecord index included
   */
  record Cost(
      Map<Integer, Integer> appendRoundTrips, double bytesPerMessage, double bytesPerInboxRecord) {

    int appendRoundTripsMax() {
      return appendRoundTrips.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    }
  }

  Sample raw() {
    return Sample.of(rounds.stream().map(Round::rawPerSecond).toList());
  }

  Sample relay() {
    return Sample.of(rounds.stream().map(Round::relayPerSecond).toList());
  }

  Sample ratios() {
    return Sample.of(rounds.stream().map(Round::ratio).toList());
  }

  /** Returns the ratio of the medians. */
  double ratio() {
    return relay().median() / raw().median();
  }

  double heapMib() {
    return rounds.stream().mapToDouble(Round::heapMib).max().orElseThrow();
  }

  double walBytesPerMessage() {
    return Sample.of(rounds.stream().map(Round::walBytes).toList()).median() / plan.messages();
  }

  double walBytesPerSave() {
    return Sample.of(
            rounds.stream().map(round -> (double) round.walBytes() / round.saves()).toList())
        .median();
  }
}
