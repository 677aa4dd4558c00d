// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.Printable;
import io.outledger.inbox.Received;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.Deliveries;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.Redelivery;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;
import org.slf4j.event.Level;

/**
 * A share group's open consumer. Each delivery that ends without an acknowledgement brings Kafka
 * nearer to giving the record up, so what cannot take effect now is not given back: its lock is
 * renewed. Kafka's client gives out nothing new while it holds such records, so that an outage
 * costs no more records a delivery than one batch has. For one thread.
 */
final class ShareDeliveries implements Deliveries<RecordPlace> {

  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(3);
  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration DATABASE = Duration.ofSeconds(1);
  private static final int LOCK_MS = 30_000;
  private static final String LAST_DELIVERY = "last delivery";

  private final ShareMember member;
  private final ShareGroup group;
  private final ShareConsumer<byte[], byte[]> consumer;
  private final int deliveriesMax;
  private final TimeSource time = TimeSource.system(); // of the network, whatever the receiver's is
  private final Semaphore never = new Semaphore(0);

  /** What was delivered and not acknowledged. */
  private final Map<RecordPlace, ConsumerRecord<byte[], byte[]>> unfinished = new LinkedHashMap<>();

  private long heardAt = time.nanoTime();
  private long lockedAt = heardAt;
  private long databaseAt = heardAt; // when it answered

  ShareDeliveries(
      ShareMember member,
      ShareGroup group,
      ShareConsumer<byte[], byte[]> consumer,
      int deliveriesMax) {
    this.member = member;
    this.group = group;
    this.consumer = consumer;
    this.deliveriesMax = deliveriesMax;
  }

  @Override
  public List<Batch<RecordPlace>> receive(Duration patience) throws Exception {
    if (!unfinished.isEmpty()) { // all of it is held
      boolean unused = never.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
      return List.of();
    }
    checkDatabase();
    ConsumerRecords<byte[], byte[]> records = consumer.poll(patience);
    if (records.isEmpty()) {
      checkSilence();
      return List.of();
    }
    lockedAt = time.nanoTime();
    heardAt = lockedAt;
    return batches(records);
  }

  /** Ends this where the database is away: other members may end now, and what they had is next. */
  private void checkDatabase() {
    if (time.nanoTime() - databaseAt > DATABASE.toNanos()) {
      member.parking().check();
      databaseAt = time.nanoTime();
    }
  }

  /** Checks the topics, if nothing has come for a while. */
  private void checkSilence() throws InterruptedException {
    if (time.nanoTime() - heardAt > SILENCE.toNanos()) {
      member.checkTopics(group);
      heardAt = time.nanoTime();
    }
  }

  private List<Batch<RecordPlace>> batches(ConsumerRecords<byte[], byte[]> records)
      throws IOException {
    Map<Object, List<Arrival<RecordPlace>>> streams = new LinkedHashMap<>();
    List<RecordPlace> parked = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      RecordPlace place = RecordPlace.of(record);
      unfinished.put(place, record);
      Arrival<RecordPlace> arrival =
          Arrival.read(place, RecordReader.bytes(record), () -> member.reader().read(record));
      if (parkIfDue(arrival, record.deliveryCount().orElse((short) 1))) {
        parked.add(place);
      } else {
        streams.computeIfAbsent(stream(arrival), stream -> new ArrayList<>()).add(arrival);
      }
    }
    if (!parked.isEmpty()) {
      acknowledge(parked);
    }
    return streams.entrySet().stream()
        .map(stream -> new Batch<>(stream.getKey(), stream.getValue()))
        .toList();
  }

  /**
   * No order is kept: of what was delivered together, a failure stops only messages of its topic
   * and type. Nothing else is delivered until they have taken effect or are parked.
   */
  private static Object stream(Arrival<RecordPlace> arrival) {
    Received message = arrival.message();
    return message == null ? arrival.place() : List.of(message.topic(), message.type());
  }

  /**
   * Stores a record in the consumer's database that Kafka will soon give up, where that can be.
   *
   * @return whether it is stored
   */
  private boolean parkIfDue(Arrival<RecordPlace> arrival, int deliveries) {
    Received message = arrival.message();
    String reason = "it cannot be stored here";
    try {
      if (message != null
          && member.parking().isDue(deliveries, deliveriesMax)
          && member.parking().park(message, deliveries, deliveriesMax)) {
        return true;
      }
    } catch (RuntimeException e) { // what failed fails again where it is processed, and is told
      reason = "it could not be stored: " + Printable.text(e);
      member.log().fails(Level.DEBUG, "parking", () -> "could not store " + arrival.place(), e);
    }
    if (deliveries >= deliveriesMax) {
      warnOfLastDelivery(arrival.place(), deliveries, reason);
    }
    return false;
  }

  private void warnOfLastDelivery(RecordPlace place, int deliveries, String reason) {
    member
        .log()
        .say(
            Level.ERROR,
            LAST_DELIVERY,
            () ->
                ("record %s is delivered for the last time, number %s, and %s; if this ends before"
                        + " it takes effect, Kafka gives it up: set the group's offset back to"
                        + " receive it again")
                    .formatted(Printable.value(place), deliveries, reason));
  }

  /** Nothing is received, of no stream, while anything is held. */
  @Override
  public boolean pause(Object stream) {
    return false;
  }

  @Override
  public void resume(Object stream) {
    throw new IllegalStateException("no stream is ever paused");
  }

  @Override
  public Optional<DeliveryLimit> deliveryLimit() {
    return member.parking().limit(deliveriesMax);
  }

  @Override
  public void acknowledge(List<RecordPlace> done) throws IOException {
    for (RecordPlace place : done) {
      consumer.acknowledge(
          Objects.requireNonNull(unfinished.get(place), "delivered and not acknowledged"),
          AcknowledgeType.ACCEPT);
    }
    commit("the acknowledgement of records that have taken effect");
    databaseAt = time.nanoTime(); // which they needed
    done.forEach(unfinished::remove);
  }

  private void commit(String what) throws IOException {
    for (Map.Entry<TopicIdPartition, Optional<KafkaException>> answer :
        consumer.commitSync(ANSWER_MAX).entrySet()) {
      if (answer.getValue().isPresent()) {
        KafkaException failure = answer.getValue().get();
        throw new IOException(
            "Kafka rejected "
                + what
                + " of "
                + answer.getKey().topicPartition()
                + " and will deliver them again: "
                + Printable.text(failure)
                + "; where a batch takes longer than the group's share.record.lock.duration.ms,"
                + " raise that, or lower max.poll.records",
            failure);
      }
    }
    heardAt = time.nanoTime();
  }

  /** Renews the locks of all that is held, when a third of their time is over. */
  @Override
  public void keep(List<RecordPlace> held) throws IOException {
    long third =
        TimeUnit.MILLISECONDS.toNanos(consumer.acquisitionLockTimeoutMs().orElse(LOCK_MS) / 3);
    long now = time.nanoTime();
    if (now - lockedAt < third) {
      return;
    }
    unfinished.values().forEach(record -> consumer.acknowledge(record, AcknowledgeType.RENEW));
    commit("the renewed locks of records");
    lockedAt = now;
    Set<RecordPlace> back = new HashSet<>();
    consumer.poll(ANSWER_MAX).forEach(record -> back.add(RecordPlace.of(record)));
    if (!back.containsAll(unfinished.keySet())) {
      throw new IOException("Kafka no longer holds records for this member that wait here");
    }
  }

  @Override
  public void setAside(Arrival<RecordPlace> arrival) throws Exception {
    member.setAside(arrival);
  }

  /** Returns the longest time that a topic keeps its records: all of them, if one does so. */
  @Override
  public Optional<Redelivery> redelivery() {
    return member.retention().of(member.topics()).stream()
        .max(Comparator.comparing(ShareDeliveries::span));
  }

  private static Duration span(Redelivery redelivery) {
    Duration span = redelivery.span();
    return span == null ? FOREVER : span;
  }

  /** Commits what was acknowledged; Kafka gives the rest to other members. */
  @Override
  public void close() {
    try {
      consumer.close(CLOSE_MAX);
    } finally {
      group.close();
      member.log().tellRest();
    }
  }
}
