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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** When each message arrived: at a publisher, or at a publisher's broker. Thread-safe. */
final class ArrivalTimes {

  private final Map<UUID, Long> micros = new ConcurrentHashMap<>();

  /** Returns a publisher that notes when each message is handed to it, and acknowledges it. */
  Publisher publisher() {
    return new AnswersAtOnce(
        (position, message) -> {
          micros.put(message.id(), SharedClock.micros());
          return Outcome.PUBLISHED;
        });
  }

  /** Returns another publisher that also notes when its broker has acknowledged each message. */
  Publisher acknowledged(Publisher publisher) {
    return new Acknowledged(publisher, micros);
  }

  private record Acknowledged(Publisher publisher, Map<UUID, Long> micros) implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return publisher.keyOrder();
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      Map<Long, UUID> onTheirWay = new ConcurrentHashMap<>();
      PublisherClient client =
          publisher.open(
              deliveryTimeMax,
              (position, outcome) -> {
                UUID id = onTheirWay.remove(position);
                if (id != null && outcome.equals(Outcome.PUBLISHED)) {
                  micros.put(id, SharedClock.micros());
                }
                outcomes.report(position, outcome);
              });
      return new PublisherClient() {
        @Override
        public void publish(long position, int attempt, Message message) {
          onTheirWay.put(position, message.id());
          client.publish(position, attempt, message);
        }

        @Override
        public void flush() {
          client.flush();
        }

        @Override
        public Set<Long> recall() {
          return client.recall();
        }

        @Override
        public void close() {
          client.close();
        }
      };
    }
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
