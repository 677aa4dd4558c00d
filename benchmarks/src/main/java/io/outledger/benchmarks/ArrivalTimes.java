// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.publish.Outcome;
import io.outledger.publish.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** When each message was handed to a publisher, which acknowledges it. Thread-safe. */
final class ArrivalTimes {

  private final Map<UUID, Long> micros = new ConcurrentHashMap<>();

  Publisher publisher() {
    return new AnswersAtOnce(
        (position, message) -> {
          micros.put(message.id(), SharedClock.micros());
          return Outcome.PUBLISHED;
        });
  }

  boolean have(List<SteadyWriter.Commit> commits) {
    return micros.size() >= commits.size();
  }

  /** Returns for each commit how many milliseconds later its message arrived here. */
  Sample millisSince(List<SteadyWriter.Commit> commits) {
    List<Double> millis = new ArrayList<>();
    for (SteadyWriter.Commit commit : commits) {
      Long arrived = micros.get(commit.id());
      if (arrived == null) {
        throw new IllegalStateException("message " + commit.id() + " did not arrive");
      }
      millis.add((arrived - commit.micros()) / 1e3);
    }
    return Sample.of(millis);
  }
}
