// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;

/** Keeps what a client reported, and fails where it reported something twice. Thread-safe. */
final class ReportedOutcomes implements Outcomes {

  private final Map<Long, Outcome> outcomes = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Long> twice = new ConcurrentLinkedQueue<>();

  @Override
  public void report(long position, Outcome outcome) {
    if (outcomes.putIfAbsent(position, outcome) != null) {
      twice.add(position);
    }
  }

  /** Waits for the outcome of one message. */
  Outcome await(long position) {
    return awaitAll(position, position).get(0);
  }

  /** Waits for the outcomes of a range of messages, in order of position. */
  List<Outcome> awaitAll(long first, long last) {
    Await.until(
        () -> "outcomes of " + first + " to " + last + ": " + outcomes,
        Duration.ofSeconds(30),
        () -> LongStream.rangeClosed(first, last).allMatch(outcomes::containsKey));
    return inOrder(first, last);
  }

  /** Returns the outcomes of a range of messages, each of which must have one now. */
  List<Outcome> inOrder(long first, long last) {
    assertThat(twice).as("positions reported twice").isEmpty();
    List<Outcome> found = new ArrayList<>();
    for (long position = first; position <= last; position++) {
      Outcome outcome = outcomes.get(position);
      if (outcome == null) {
        throw new AssertionError("no outcome of " + position);
      }
      found.add(outcome);
    }
    return found;
  }

  int count() {
    return outcomes.size();
  }
}
