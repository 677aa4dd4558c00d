// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.InvalidMessageException;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.inbox.Receiver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One step at a time: poll, hand on, commit. Between two polls nothing is in process, so when the
 * group is rebalanced, inside a poll, everything that took effect can be committed and nothing else
 * has been touched. Used by one thread; {@link #stop} by any.
 */
final class IntakeLoop implements ConsumerRebalanceListener {

  private static final Logger LOG = LoggerFactory.getLogger(IntakeLoop.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final Receiver receiver;
  private final IntakeRules rules;
  private final IntakeOffsets offsets;
  private final Map<TopicPartition, IntakePartition> partitions = new HashMap<>();
  private volatile boolean stopping;

  IntakeLoop(Consumer<byte[], byte[]> consumer, Receiver receiver, IntakeRules rules) {
    this.consumer = consumer;
    this.receiver = receiver;
    this.rules = rules;
    this.offsets = new IntakeOffsets(consumer);
  }

  void subscribe(Collection<String> topics) {
    consumer.subscribe(topics, this);
  }

  /** Lets the batch that is being received be the last. */
  void stop() {
    stopping = true;
  }

  boolean isStopping() {
    return stopping;
  }

  /**
   * Polls once and hands on what came. Kafka's exceptions pass through; after them the next step
   * goes on where this one stood.
   */
  void step() {
    releaseHeld();
    ConsumerRecords<byte[], byte[]> records = poll();
    for (TopicPartition partition : records.partitions()) {
      if (!stopping) {
        receive(partition, records.records(partition));
      }
    }
    offsets.commit();
  }

  /** Commits what took effect and leaves the group. */
  void close() {
    try {
      offsets.commit();
    } finally {
      consumer.close();
    }
  }

  private ConsumerRecords<byte[], byte[]> poll() {
    try {
      return consumer.poll(POLL);
    } catch (NoOffsetForPartitionException e) {
      LOG.info("{} have no offsets yet; {}", e.partitions(), rules.fromEnd() ? "newest" : "oldest");
      offsets.startAt(e.partitions(), rules.fromEnd());
    } catch (InvalidOffsetException e) {
      LOG.error(
          "The broker no longer has the next records of {}: what it removed was never received."
              + " Receiving goes on with the oldest that are left.",
          e.partitions(),
          e);
      offsets.startAt(e.partitions(), false);
    }
    return ConsumerRecords.empty();
  }

  private void receive(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records) {
    IntakePartition state = partitions.computeIfAbsent(partition, p -> new IntakePartition());
    int done = 0;
    while (done < records.size() && !stopping) {
      int end = (int) Math.min(records.size(), (long) done + state.batchMax());
      List<ConsumerRecord<byte[], byte[]>> batch = records.subList(done, end);
      Handed handed = hand(batch);
      if (handed.count() > 0) {
        offsets.took(batch.get(handed.count() - 1));
        state.succeeded();
      }
      done += handed.count();
      if (handed.failure() != null) {
        hold(partition, state, records.get(done), handed.failure());
        return;
      }
    }
  }

  /** How many records from the start took effect, and what stopped the next one. */
  private record Handed(int count, @Nullable Throwable failure) {}

  private Handed hand(List<ConsumerRecord<byte[], byte[]>> records) {
    List<Received> batch = new ArrayList<>(records.size());
    InvalidMessageException unreadable = null;
    for (int i = 0; i < records.size() && unreadable == null; i++) {
      try {
        batch.add(rules.reader().read(records.get(i)));
      } catch (InvalidMessageException e) {
        unreadable = e;
      }
    }
    if (batch.isEmpty()) {
      return new Handed(0, unreadable);
    }
    Handed handed = hand(batch, receiver);
    return handed.failure() == null ? new Handed(batch.size(), unreadable) : handed;
  }

  private static Handed hand(List<Received> batch, Receiver receiver) {
    try {
      receiver.receive(List.copyOf(batch));
      return new Handed(batch.size(), null);
    } catch (ReceiveFailedException e) {
      return new Handed(Math.min(e.done(), batch.size() - 1), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Handed(0, e);
    } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
      return new Handed(0, e);
    }
  }

  private void hold(
      TopicPartition partition,
      IntakePartition state,
      ConsumerRecord<byte[], byte[]> failed,
      Throwable failure) {
    int failures = state.failed();
    Duration pause = rules.backoff().delay(failures, rules.random());
    LOG.error(
        "Record {}@{} was not received, for the {}. time; its partition waits {}",
        partition,
        failed.offset(),
        failures,
        pause,
        failure);
    consumer.seek(partition, failed.offset());
    consumer.pause(List.of(partition));
    state.hold(rules.time().nanoTime() + pause.toNanos());
  }

  private void releaseHeld() {
    long now = rules.time().nanoTime();
    partitions.forEach(
        (partition, state) -> {
          if (state.release(now)) {
            consumer.resume(List.of(partition));
          }
        });
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    LOG.info("Assigned {}", assigned);
  }

  /** The successor starts where this member's commit says. */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
    offsets.commit();
    onPartitionsLost(revoked);
  }

  /** They belong to others already, whose commits ours must not undo. */
  @Override
  public void onPartitionsLost(Collection<TopicPartition> lost) {
    partitions.keySet().removeAll(lost);
    offsets.forget(lost);
  }
}
