// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.inbox.Received;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One step at a time: gather, hand on, commit. Records are read one by one, and no more of them
 * than fit into a bound, since what comes in one answer of the broker may expand to any size. When
 * the group is rebalanced, inside a poll, everything that took effect can be committed, and what
 * was gathered meanwhile has not been touched. Used by one thread; {@link #stop} by any.
 */
final class ReceiverLoop implements ConsumerRebalanceListener {

  private static final Logger LOG = LoggerFactory.getLogger(ReceiverLoop.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration SEARCH_MAX = Duration.ofSeconds(10);
  private static final Duration LEAVE = Duration.ofSeconds(4);

  private final Consumer<byte[], byte[]> consumer;
  private final Handover<RecordPlace> handover;
  private final ReceiverRules rules;
  private final ReceiverOffsets offsets;
  private final TopicSubscription topics;
  private final Gathered gathered;
  private final PartitionStates partitions;
  private volatile boolean stopping;

  ReceiverLoop(
      Consumer<byte[], byte[]> consumer,
      Handover<RecordPlace> handover,
      ReceiverRules rules,
      StuckRecords stuck) {
    this.consumer = consumer;
    this.handover = handover;
    this.rules = rules;
    this.offsets = new ReceiverOffsets(consumer);
    this.topics = new TopicSubscription(consumer, this, rules.start().topics());
    this.partitions = new PartitionStates(consumer, rules, topics, stuck);
    this.gathered = new Gathered(rules.start().batchMax());
  }

  void subscribe() {
    topics.subscribe();
  }

  /** Lets the batch that is being received be the last, and waits for the broker no longer. */
  void stop() {
    stopping = true;
    consumer.wakeup();
  }

  boolean isStopping() {
    return stopping;
  }

  /**
   * Gathers what comes and hands it on. Kafka's exceptions pass through; after them the next step
   * continues where this one stood, with what was gathered first.
   */
  void step() {
    partitions.letGoOn(enough());
    if (gathered.isEmpty()) {
      gather();
    }
    handOn();
  }

  /** Processes the gathered records and commits the offsets of those that took effect. */
  void handOn() {
    for (TopicPartition partition : gathered.partitions()) {
      List<Incoming<RecordPlace>> records = gathered.take(partition);
      if (!stopping) {
        receive(partition, records);
      }
    }
    try {
      offsets.commit();
    } catch (TopicAuthorizationException e) {
      topics.leaveOut(e, now());
    }
  }

  /** Finds out which records cannot be decoded, after a poll that failed because of one. */
  void findStuck() {
    partitions.findStuck(enough());
  }

  /**
   * Limits a search: a member that does not poll is removed from its group, and {@link #close} must
   * return.
   */
  private BooleanSupplier enough() {
    long until = now() + SEARCH_MAX.toNanos();
    return () -> stopping || now() - until >= 0;
  }

  /** Commits what took effect and leaves the group. */
  void close() {
    offsets.end();
    try {
      offsets.commit();
    } catch (WakeupException e) {
      offsets.commit(); // it was meant for a poll
    } finally {
      consumer.close(CloseOptions.timeout(LEAVE));
    }
  }

  private void gather() {
    ConsumerRecords<byte[], byte[]> records = poll(POLL);
    while (!records.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        gathered.add(incoming(record));
      }
      if (stopping || gathered.isFull()) {
        return;
      }
      records = poll(Duration.ZERO);
    }
  }

  private Incoming<RecordPlace> incoming(ConsumerRecord<byte[], byte[]> record) {
    RecordPlace place = RecordPlace.of(record);
    try {
      Received message = rules.reader().read(record);
      return new Incoming<>(place, RecordReader.bytes(record), message, null);
    } catch (InvalidMessageException e) {
      return new Incoming<>(place, 0, null, e);
    }
  }

  private ConsumerRecords<byte[], byte[]> poll(Duration patience) {
    try {
      return pollOrStart(patience);
    } catch (TopicAuthorizationException e) {
      topics.leaveOut(e, now());
      return ConsumerRecords.empty();
    }
  }

  private ConsumerRecords<byte[], byte[]> pollOrStart(Duration patience) {
    try {
      return consumer.poll(patience);
    } catch (NoOffsetForPartitionException e) {
      boolean fromEnd = rules.start().fromEnd();
      LOG.info(
          "No committed offsets for {}; starting {} record",
          e.partitions(),
          fromEnd ? "after the newest" : "at the oldest");
      offsets.startAt(e.partitions(), fromEnd);
    } catch (InvalidOffsetException e) {
      LOG.error(
          "The broker removed records of {} that were never received; continuing with the oldest"
              + " remaining records. Check the retention of the topics.",
          e.partitions(),
          Printable.trace(e));
      offsets.startAt(e.partitions(), false);
    }
    return ConsumerRecords.empty();
  }

  private void receive(TopicPartition partition, List<Incoming<RecordPlace>> records) {
    ReceiverPartition state = partitions.state(partition);
    int done = 0;
    while (done < records.size() && !stopping) {
      int end = (int) Math.min(records.size(), (long) done + state.batchMax());
      Handover.Handed handed = handover.hand(records.subList(done, end));
      if (handed.count() > 0) {
        offsets.took(records.get(done + handed.count() - 1).place());
        partitions.succeeded(partition);
      }
      done += handed.count();
      Throwable failure = handed.failure();
      if (failure != null) {
        if (!stopping || !(failure instanceof InterruptedException)) {
          failed(state, records.get(done), failure);
        }
        return;
      }
    }
  }

  private void failed(ReceiverPartition state, Incoming<RecordPlace> record, Throwable failure) {
    RecordPlace place = record.place();
    Duration pause = partitions.failed(place.partition());
    LOG.error(
        "Could not process record {} in group {} (failure {} in a row): {}; pausing its partition"
            + " for {}",
        place,
        rules.group(),
        state.failures(),
        record.message() == null ? "unreadable" : record.message(),
        pause,
        Printable.trace(failure));
    consumer.seek(place.partition(), place.offset());
  }

  private long now() {
    return rules.time().nanoTime();
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    LOG.info("Assigned {}", assigned);
    partitions.assigned(assigned);
  }

  /** The successor starts where this member's commit says. */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
    try {
      commitBeforeGivingAway();
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      // Thrown on, it would be taken for a failure of the poll; the next one tells the reason.
      LOG.warn(
          "Could not commit offsets before losing {}; the new owner may receive their last records"
              + " again: {}",
          revoked,
          Printable.text(e));
    } finally {
      onPartitionsLost(revoked);
    }
  }

  private void commitBeforeGivingAway() {
    try {
      offsets.commit();
    } catch (WakeupException e) {
      offsets.end();
      offsets.commit(); // it was meant for the poll
      throw e;
    }
  }

  /** Their new owners may have committed already; ours must not overwrite that. */
  @Override
  public void onPartitionsLost(Collection<TopicPartition> lost) {
    gathered.drop(lost);
    partitions.forget(lost);
    offsets.forget(lost);
  }
}
