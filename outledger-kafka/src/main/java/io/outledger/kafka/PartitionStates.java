// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of each assigned partition, and which are paused: those of topics that may not be read,
 * and those held for a back-off, because a record was not received or may not be decodable here.
 * For one thread.
 */
final class PartitionStates {

  private static final Logger LOG = LoggerFactory.getLogger(PartitionStates.class);
  private static final Duration ASK = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final ReceiverRules rules;
  private final TopicSubscription topics;
  private final StuckRecords stuck;
  private final Map<TopicPartition, ReceiverPartition> states = new HashMap<>();

  PartitionStates(
      Consumer<byte[], byte[]> consumer,
      ReceiverRules rules,
      TopicSubscription topics,
      StuckRecords stuck) {
    this.consumer = consumer;
    this.rules = rules;
    this.topics = topics;
    this.stuck = stuck;
  }

  ReceiverPartition state(TopicPartition partition) {
    return states.computeIfAbsent(partition, p -> new ReceiverPartition());
  }

  /**
   * Holds those of the new partitions whose next record cannot, or possibly cannot, be decoded
   * here.
   */
  void assigned(Collection<TopicPartition> partitions) {
    partitions.stream()
        .filter(stuck::isSuspect)
        .forEach(partition -> hold(partition, stuck.failures(partition)));
  }

  /** Forgets partitions that are no longer ours. */
  void forget(Collection<TopicPartition> partitions) {
    states.keySet().removeAll(partitions);
  }

  /** Notes that records of a partition took effect. */
  void succeeded(TopicPartition partition) {
    stuck.forget(partition);
  }

  /** Holds a partition for a time. */
  void hold(TopicPartition partition, Duration pause) {
    state(partition).hold(now() + pause.toNanos());
    consumer.pause(List.of(partition));
    LOG.debug("pausing {} for {}", partition, pause);
  }

  private void hold(TopicPartition partition, int failures) {
    hold(partition, rules.backoff().delay(failures, rules.random()));
  }

  /**
   * Lets partitions continue that were held for long enough, and those of topics that are tried
   * again. Where a record could not be decoded, looks at it again first.
   *
   * @param enough says when to look no further
   * @throws TopicAuthorizationException as {@link TopicSubscription#leaveOut} does; the partition
   *     that it was met with is held again, so the next call continues with the others
   */
  void letGoOn(BooleanSupplier enough) {
    topics.takeDue(now());
    for (TopicPartition partition : due()) {
      if (!stuck.isStuck(partition)) {
        state(partition).release();
      } else if (!topics.isDenied(partition) && !enough.getAsBoolean()) {
        lookAgain(partition, enough);
      }
    }
    // Looks at all that are paused: an exception may have ended the last call before this.
    Set<TopicPartition> free =
        consumer.paused().stream().filter(this::mayGoOn).collect(Collectors.toSet());
    if (!free.isEmpty()) {
      consumer.resume(free);
    }
  }

  private List<TopicPartition> due() {
    return states.entrySet().stream()
        .filter(each -> each.getValue().isDue(now()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private void lookAgain(TopicPartition partition, BooleanSupplier enough) {
    boolean waits = true;
    try {
      OptionalLong position = position(partition);
      waits = position.isEmpty() || stuck.lookAgain(partition, position.getAsLong(), enough);
    } catch (TopicAuthorizationException e) {
      topics.leaveOut(e, now());
    } finally {
      if (waits) {
        hold(partition, stuck.failures(partition));
      } else {
        state(partition).release();
      }
    }
  }

  private boolean mayGoOn(TopicPartition partition) {
    return !topics.isDenied(partition) && !state(partition).isHeld();
  }

  /**
   * Finds out whose next record cannot be decoded, after a poll that failed in a way which says
   * that some record's cannot. The consumer may have lost its place in that record, and must not be
   * polled again. Where time is too short for all partitions, the next search may begin at others.
   *
   * @param enough says when to look no further
   */
  void findStuck(BooleanSupplier enough) {
    List<TopicPartition> reading = new ArrayList<>(consumer.assignment());
    reading.removeAll(consumer.paused());
    stuck.suspect(reading);
    Collections.rotate(reading, rules.random().nextInt(reading.size() + 1));
    Map<TopicPartition, Long> positions = new LinkedHashMap<>();
    for (TopicPartition partition : reading) {
      if (!enough.getAsBoolean()) {
        positionUnlessDenied(partition).ifPresent(offset -> positions.put(partition, offset));
      }
    }
    stuck.find(positions, enough);
  }

  /** Does not leave the topic out: the consumer that takes this one's place meets the denial. */
  private OptionalLong positionUnlessDenied(TopicPartition partition) {
    try {
      return position(partition);
    } catch (TopicAuthorizationException e) {
      LOG.debug("not authorized to read {}: {}", partition, Printable.text(e));
      return OptionalLong.empty();
    }
  }

  /** Returns where a partition's next record lies; empty where that is not known now. */
  private OptionalLong position(TopicPartition partition) {
    try {
      return OptionalLong.of(consumer.position(partition, ASK));
    } catch (WakeupException | InterruptException | TopicAuthorizationException e) {
      throw e;
    } catch (KafkaException e) { // the next poll meets it as well, if it lasts
      LOG.debug("the position in {} is currently unknown: {}", partition, Printable.text(e));
      return OptionalLong.empty();
    }
  }

  private long now() {
    return rules.time().nanoTime();
  }
}
