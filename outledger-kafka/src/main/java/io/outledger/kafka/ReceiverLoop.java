// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import io.outledger.log.QuietLog;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.Receiver;
import io.outledger.receive.Source;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
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
import org.slf4j.event.Level;

/**
 * Kafka's consumer as a receiver's source. Records are read one by one, and no more of them than
 * fit into a bound, since what comes in one answer of the broker may expand to any size. When the
 * group is rebalanced, inside a poll, everything that took effect can be committed, and what was
 * gathered meanwhile has not been touched. Used by one thread; {@link #stop} by any.
 */
final class ReceiverLoop implements ConsumerRebalanceListener, Source<RecordPlace> {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration SEARCH_MAX = Duration.ofSeconds(10);
  private static final Duration LEAVE = Duration.ofSeconds(4);

  private final Consumer<byte[], byte[]> consumer;
  private final Receiver<RecordPlace> receiver;
  private final QuietLog log;
  private final ReceiverRules rules;
  private final ReceiverOffsets offsets;
  private final TopicSubscription topics;
  private final Gathered gathered;
  private final PartitionStates partitions;
  private final Silence silence;
  private final Set<String> unchecked = new TreeSet<>();
  private volatile boolean stopping;

  ReceiverLoop(
      Consumer<byte[], byte[]> consumer,
      Receiver<RecordPlace> receiver,
      ReceiverRules rules,
      StuckRecords stuck) {
    this.consumer = consumer;
    this.receiver = receiver;
    this.log = receiver.log();
    this.rules = rules;
    this.offsets = new ReceiverOffsets(consumer, log);
    this.topics = new TopicSubscription(consumer, this, rules.start().topics());
    this.partitions = new PartitionStates(consumer, rules, topics, stuck);
    this.gathered = new Gathered(rules.start().batchMax());
    this.silence = new Silence(consumer, rules.start().servers(), rules.time(), receiver);
  }

  void subscribe() {
    topics.subscribe();
  }

  /** Lets the batch that is being received be the last, and waits for the broker no longer. */
  void stop() {
    stopping = true;
    consumer.wakeup();
  }

  @Override
  public boolean isStopping() {
    return stopping;
  }

  /**
   * Gathers records and processes them. Kafka's exceptions pass through; after one the next step
   * continues where this one stopped, beginning with the records already gathered.
   */
  void step() {
    receiver.step(this);
  }

  /** Processes the gathered records and commits the offsets of those that took effect. */
  void processGathered() {
    receiver.process(this, takeGathered());
  }

  @Override
  public List<Batch<RecordPlace>> receive() {
    partitions.letGoOn(enough());
    if (gathered.isEmpty()) {
      gather();
    }
    checkRetention();
    return takeGathered();
  }

  /** Checks the retention of each topic before its first record is processed. */
  private void checkRetention() {
    if (!unchecked.isEmpty() && receiver.retries().isPresent()) {
      rules.retention().of(List.copyOf(unchecked)).forEach(receiver::check);
    }
    unchecked.clear();
  }

  private List<Batch<RecordPlace>> takeGathered() {
    return gathered.partitions().stream()
        .map(partition -> new Batch<>(partition, gathered.take(partition)))
        .toList();
  }

  @Override
  public void acknowledge(List<Arrival<RecordPlace>> done) {
    RecordPlace last = done.get(done.size() - 1).place();
    offsets.took(last);
    partitions.succeeded(last.partition());
  }

  @Override
  public void giveBack(Batch<RecordPlace> rest, Duration delay, boolean wantsMore) {
    RecordPlace first = rest.arrivals().get(0).place();
    partitions.hold(first.partition(), delay);
    consumer.seek(first.partition(), first.offset());
  }

  @Override
  public void setAside(Arrival<RecordPlace> unreadable) throws Exception {
    rules.setAside().setAside(unreadable);
  }

  @Override
  public void commit() {
    try {
      offsets.commit();
    } catch (TopicAuthorizationException e) {
      leaveOut(e);
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
      ConsumerEnd.close(consumer, LEAVE);
    }
  }

  private void gather() {
    ConsumerRecords<byte[], byte[]> records = poll(POLL);
    if (records.isEmpty()) {
      silence.check(rules.start().topics());
      return;
    }
    silence.end(rules.start().topics());
    while (!records.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        gathered.add(arrival(record));
      }
      if (stopping || gathered.isFull()) {
        return;
      }
      records = poll(Duration.ZERO);
    }
  }

  private Arrival<RecordPlace> arrival(ConsumerRecord<byte[], byte[]> record) {
    RecordPlace place = RecordPlace.of(record);
    Arrival<RecordPlace> arrival =
        Arrival.read(place, RecordReader.bytes(record), () -> rules.reader().read(record));
    boolean isLeftOut = arrival.message() == null && arrival.again() == null;
    return isLeftOut ? new Arrival<>(place, 0, null, arrival.problem()) : arrival;
  }

  private ConsumerRecords<byte[], byte[]> poll(Duration patience) {
    try {
      return pollOrStart(patience);
    } catch (TopicAuthorizationException e) {
      leaveOut(e);
      return ConsumerRecords.empty();
    }
  }

  private void leaveOut(TopicAuthorizationException denied) {
    topics.leaveOut(denied, now());
    silence.lacks(TopicSubscription.denied(denied));
  }

  private ConsumerRecords<byte[], byte[]> pollOrStart(Duration patience) {
    try {
      return consumer.poll(patience);
    } catch (NoOffsetForPartitionException e) {
      boolean fromEnd = rules.start().fromEnd();
      log.say(
          Level.INFO,
          fromEnd ? "start at the newest" : "start at the oldest",
          () ->
              "no committed offsets for %s; starts %s record"
                  .formatted(e.partitions(), fromEnd ? "after the newest" : "at the oldest"));
      offsets.startAt(e.partitions(), fromEnd);
    } catch (InvalidOffsetException e) {
      log.fails(
          Level.ERROR,
          "removed",
          () ->
              ("the broker removed records of %s that were never received; continues with the"
                      + " oldest remaining records; check the retention of the topics")
                  .formatted(e.partitions()),
          e);
      offsets.startAt(e.partitions(), false);
    }
    return ConsumerRecords.empty();
  }

  private long now() {
    return rules.time().nanoTime();
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    log.say(Level.INFO, "assigned", () -> "assigned " + assigned);
    assigned.forEach(partition -> unchecked.add(partition.topic()));
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
      log.fails(
          Level.WARN,
          "commit before losing",
          Printable.text(e),
          () ->
              ("could not commit offsets before losing %s; the new owner may receive their last"
                      + " records again: %s")
                  .formatted(revoked, Printable.text(e)));
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
    receiver.forget(lost);
    offsets.forget(lost);
  }
}
