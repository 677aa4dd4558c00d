// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A publisher that notes when it is handed each message, and acknowledges it. Thread-safe. */
final class Arrivals implements Publisher {

  private final Map<UUID, Long> micros = new ConcurrentHashMap<>();

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new PublisherClient() {
      @Override
      public void publish(long position, Message message) {
        micros.put(message.id(), SharedClock.micros());
        outcomes.report(position, Outcome.PUBLISHED);
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
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
