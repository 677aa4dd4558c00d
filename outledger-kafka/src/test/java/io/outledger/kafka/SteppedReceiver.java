// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.log.QuietLog;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import io.outledger.relay.options.Backoff;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.common.TopicPartition;

/** A loop over stand-ins for Kafka's consumers, to be driven one step at a time. */
final class SteppedReceiver {

  static final TopicPartition ZERO = new TopicPartition("orders", 0);
  static final TopicPartition ONE = new TopicPartition("orders", 1);

  final FailingConsumer consumer = new FailingConsumer();
  final SettableClock clock = new SettableClock();
  final ScoutedRecords scouted = new ScoutedRecords(clock);
  final QuietLog log = new QuietLog(SteppedReceiver.class, "receiver group", clock);
  final StuckRecords stuck = new StuckRecords(new RecordScout(scouted::consumer, log), log);
  final List<String> effects = new ArrayList<>();
  final List<ReceiverEvent> events = new ArrayList<>();
  final Set<String> bad = new HashSet<>();

  /** Returns a loop that has not subscribed yet. */
  ReceiverLoop loop(BatchHandler handler, String... topics) {
    Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8));
    ReceiverContext context =
        new ReceiverContext(
            "group",
            ReceiverOptions.DEFAULT.withBackoff(backoff),
            events::add,
            clock,
            new SplittableRandom(1));
    return new ReceiverLoop(
        consumer,
        new Receiver<>(handler, context),
        new ReceiverRules(
            new RecordReader(ReceiverChoices.DEFAULT, null),
            new ReceiverStart("broker:9092", List.of(topics), false, 500),
            names -> List.of(),
            unreadable -> {
              throw new IllegalStateException(unreadable.problem());
            },
            backoff,
            clock,
            new SplittableRandom(1)),
        stuck);
  }

  /** Takes effect all or nothing, as one transaction does. */
  void receive(List<Received> batch) {
    for (Received received : batch) {
      if (bad.contains(received.id())) {
        throw new IllegalArgumentException("bad " + received.id());
      }
    }
    batch.forEach(received -> effects.add(received.id()));
  }

  /** Has the consumer be assigned partitions, from their start. */
  void assign(TopicPartition... partitions) {
    for (TopicPartition partition : partitions) {
      consumer.updateBeginningOffsets(Map.of(partition, 0L));
      consumer.updateEndOffsets(Map.of(partition, 0L));
    }
    consumer.rebalance(List.of(partitions));
    consumer.seekToBeginning(List.of(partitions));
  }

  void add(TopicPartition partition, long first, long last) {
    for (long offset = first; offset <= last; offset++) {
      consumer.addRecord(Records.event(partition.topic(), partition.partition(), offset));
    }
  }

  long committed(TopicPartition partition) {
    return consumer.committed.getOrDefault(partition, 0L);
  }
}
