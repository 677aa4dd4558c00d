// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a member's partitions fare, and which of them wait: for the back-off after a failure, or for
 * a record that cannot be decoded here. For one thread.
 */
final class HeldPartitions {

  private static final Logger LOG = LoggerFactory.getLogger(HeldPartitions.class);
  private static final Duration ASK = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final IntakeRules rules;
  private final TopicSubscription topics;
  private final StuckRecords stuck;
  private final Map<TopicPartition, IntakePartition> states = new HashMap<>();

  HeldPartitions(
      Consumer<byte[], byte[]> consumer,
      IntakeRules rules,
      TopicSubscription topics,
      StuckRecords stuck) {
    this.consumer = consumer;
    this.rules = rules;
    this.topics = topics;
    this.stuck = stuck;
  }

  IntakePartition state(TopicPartition partition) {
    return states.computeIfAbsent(partition, p -> new IntakePartition());
  }

  /** Holds a partition after a failure, and returns for how long. */
  Duration hold(TopicPartition partition) {
    IntakePartition state = state(partition);
    Duration pause = rules.backoff().delay(state.failed(), rules.random());
    state.hold(now() + pause.toNanos());
    consumer.pause(List.of(partition));
    LOG.debug("{} waits {}", partition, pause);
    return pause;
  }

  /** Holds those of the new partitions whose next record could not be decoded before. */
  void assigned(Collection<TopicPartition> partitions) {
    partitions.stream().filter(stuck::isStuck).forEach(this::hold);
  }

  /** Forgets partitions that are no longer ours. */
  void forget(Collection<TopicPartition> partitions) {
    states.keySet().removeAll(partitions);
  }

  /**
   * Lets partitions go on that were held for long enough, and those of topics that are tried again.
   */
  void letGoOn(BooleanSupplier enough) {
    boolean due = topics.takeDue(now());
    for (Map.Entry<TopicPartition, IntakePartition> each : states.entrySet()) {
      TopicPartition partition = each.getKey();
      if (each.getValue().isDue(now()) && !enough.getAsBoolean()) {
        if (stuck.isStuck(partition) && lookAgain(partition, enough)) {
          hold(partition);
        } else {
          each.getValue().release();
          due = true;
        }
      }
    }
    if (due) {
      consumer.resume(consumer.paused().stream().filter(this::mayGoOn).collect(Collectors.toSet()));
    }
  }

  private boolean lookAgain(TopicPartition partition, BooleanSupplier enough) {
    OptionalLong position = position(partition);
    return position.isEmpty() || stuck.lookAgain(partition, position.getAsLong(), enough);
  }

  private boolean mayGoOn(TopicPartition partition) {
    return !topics.isDenied(partition) && !state(partition).isHeld();
  }

  /** Returns where a partition's next record lies, unless nobody knows now. */
  OptionalLong position(TopicPartition partition) {
    try {
      return OptionalLong.of(consumer.position(partition, ASK));
    } catch (TimeoutException | InvalidOffsetException e) {
      LOG.debug("where {} goes on is not known now", partition);
      return OptionalLong.empty();
    }
  }

  private long now() {
    return rules.time().nanoTime();
  }
}
