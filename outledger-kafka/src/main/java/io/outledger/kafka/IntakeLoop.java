// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.inbox.Received;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
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
final class IntakeLoop implements ConsumerRebalanceListener {

  private static final Logger LOG = LoggerFactory.getLogger(IntakeLoop.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration ASK = Duration.ofSeconds(2);
  private static final Duration LEAVE = Duration.ofSeconds(4);

  private final Consumer<byte[], byte[]> consumer;
  private final Handover<RecordPlace> handover;
  private final IntakeRules rules;
  private final StuckRecords stuck;
  private final IntakeOffsets offsets;
  private final SubscribedTopics topics;
  private final Gathered gathered;
  private final Map<TopicPartition, IntakePartition> partitions = new HashMap<>();
  private volatile boolean stopping;

  IntakeLoop(
      Consumer<byte[], byte[]> consumer,
      Handover<RecordPlace> handover,
      IntakeRules rules,
      StuckRecords stuck) {
    this.consumer = consumer;
    this.handover = handover;
    this.rules = rules;
    this.stuck = stuck;
    this.offsets = new IntakeOffsets(consumer);
    this.topics = new SubscribedTopics(rules.start().topics());
    this.gathered = new Gathered(rules.start().batchMax());
  }

  void subscribe() {
    consumer.subscribe(topics.current(), this);
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
   * goes on where this one stood, with what was gathered first.
   */
  void step() {
    releaseHeld();
    if (topics.takeDue(now())) {
      subscribe();
    }
    if (gathered.isEmpty()) {
      gather();
    }
    handOn();
  }

  /** Hands on what was gathered, and commits what took effect. */
  void handOn() {
    for (TopicPartition partition : gathered.partitions()) {
      List<Incoming<RecordPlace>> records = gathered.take(partition);
      if (!stopping) {
        receive(partition, records);
      }
    }
    offsets.commit();
  }

  /**
   * Finds out whose next record cannot be decoded, after a poll that failed in a way which says
   * that some record's cannot. This consumer may have lost its place in that record, and must not
   * be polled again.
   */
  void findStuck() {
    for (TopicPartition partition : consumer.assignment()) {
      if (!stopping && !consumer.paused().contains(partition)) {
        stuck.check(partition, consumer.position(partition, POLL));
      }
    }
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
      return new Incoming<>(place, CloudEventReader.bytes(record), message, null);
    } catch (InvalidMessageException e) {
      return new Incoming<>(place, 0, null, e);
    }
  }

  private ConsumerRecords<byte[], byte[]> poll(Duration patience) {
    try {
      return consumer.poll(patience);
    } catch (NoOffsetForPartitionException e) {
      boolean fromEnd = rules.start().fromEnd();
      LOG.info("{} have no offsets yet; {}", e.partitions(), fromEnd ? "newest" : "oldest");
      offsets.startAt(e.partitions(), fromEnd);
    } catch (InvalidOffsetException e) {
      LOG.error(
          "The broker no longer has the next records of {}: what it removed was never received."
              + " Receiving goes on with the oldest that are left.",
          e.partitions(),
          Printable.trace(e));
      offsets.startAt(e.partitions(), false);
    } catch (TopicAuthorizationException e) {
      leaveOut(e);
    }
    return ConsumerRecords.empty();
  }

  private void leaveOut(TopicAuthorizationException failure) {
    Set<String> named = failure.unauthorizedTopics();
    if (topics.denied(named.isEmpty() ? denied() : named, now())) {
      LOG.error("Topics may not be read, and are left out for now: {}", Printable.text(failure));
      subscribe();
    }
    if (topics.isNoneLeft() || !topics.isAnyDenied()) {
      throw failure;
    }
    Set<TopicPartition> denied =
        consumer.assignment().stream()
            .filter(partition -> topics.isDenied(partition.topic()))
            .collect(Collectors.toSet());
    consumer.pause(denied);
  }

  /** Asks for each topic by itself: a member of a group is told that one is denied, not which. */
  private Set<String> denied() {
    Set<String> denied = new HashSet<>();
    for (String topic : topics.current()) {
      try {
        LOG.debug("{} may be read: {}", topic, consumer.partitionsFor(topic, ASK).size());
      } catch (TopicAuthorizationException e) {
        denied.add(topic);
      } catch (RetriableException e) {
        LOG.debug("whether {} may be read is not known now", topic);
      }
    }
    return denied;
  }

  private void receive(TopicPartition partition, List<Incoming<RecordPlace>> records) {
    IntakePartition state = state(partition);
    int done = 0;
    while (done < records.size() && !stopping) {
      int end = (int) Math.min(records.size(), (long) done + state.batchMax());
      Handover.Handed handed = handover.hand(records.subList(done, end));
      if (handed.count() > 0) {
        offsets.took(records.get(done + handed.count() - 1).place());
        state.succeeded();
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

  private void failed(IntakePartition state, Incoming<RecordPlace> record, Throwable failure) {
    RecordPlace place = record.place();
    Duration pause = hold(place.partition(), state);
    LOG.error(
        "Record {} was not received, for the {}. time, by {}: {}; its partition waits {}",
        place,
        state.failures(),
        rules.group(),
        record.message() == null ? "unreadable" : record.message(),
        pause,
        Printable.trace(failure));
    consumer.seek(place.partition(), place.offset());
    consumer.pause(List.of(place.partition()));
  }

  private Duration hold(TopicPartition partition, IntakePartition state) {
    Duration pause = rules.backoff().delay(state.failed(), rules.random());
    state.hold(now() + pause.toNanos());
    LOG.debug("{} waits {}", partition, pause);
    return pause;
  }

  private void releaseHeld() {
    for (Map.Entry<TopicPartition, IntakePartition> held : partitions.entrySet()) {
      TopicPartition partition = held.getKey();
      if (held.getValue().release(now())) {
        if (stuck.isStillStuck(partition)) {
          hold(partition, held.getValue());
        } else if (!topics.isDenied(partition.topic())) {
          consumer.resume(List.of(partition));
        }
      }
    }
  }

  private IntakePartition state(TopicPartition partition) {
    return partitions.computeIfAbsent(partition, p -> new IntakePartition());
  }

  private long now() {
    return rules.time().nanoTime();
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    LOG.info("Assigned {}", assigned);
    for (TopicPartition partition : assigned) {
      if (stuck.isStuck(partition)) {
        consumer.pause(List.of(partition));
        hold(partition, state(partition));
      }
    }
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
    gathered.drop(lost);
    partitions.keySet().removeAll(lost);
    offsets.forget(lost);
  }
}
