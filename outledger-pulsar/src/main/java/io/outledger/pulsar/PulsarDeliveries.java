// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.log.QuietLog;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.Deliveries;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.Redelivery;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClientException;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * An instance's part in a subscription, with a consumer for each partition: the client's own one
 * for all of them cannot pause one alone. A partition that cannot be reached holds no other. For
 * one thread.
 */
final class PulsarDeliveries implements Deliveries<PulsarReader.Place> {

  private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(5);
  private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(3);
  private static final Duration AWAY_MAX = Duration.ofSeconds(5);

  /** The client may have given a partition up by then; it is subscribed to again. */
  private static final Duration ONE_AWAY_MAX = Duration.ofSeconds(60);

  private static final String PARTITION = "partition";
  private static final Duration LOOK_EVERY = Duration.ofSeconds(10);
  private static final int PAGE_MAX = 100;
  private static final int PAGE_BYTES_MAX = 4 * 1024 * 1024;
  private static final int OVERHEAD_BYTES = 500;

  private final ReadingClient pulsar;
  private final PulsarCluster cluster;
  private final PulsarSubscription subscription;
  private final PulsarReader reader;
  private final ReceiverSettings settings;
  private final TimeSource time = TimeSource.system(); // of the network, whatever the receiver's is
  private final Map<String, PulsarPartition> partitions = new LinkedHashMap<>();
  private final Set<String> missing = new HashSet<>(); // partitions that were not to be had at last
  private final PulsarSubscribing subscribing;
  private final QuietLog log;
  private final Semaphore told = new Semaphore(0); // that something has come
  private @Nullable CompletableFuture<List<String>> look;
  private long lookedAt = time.nanoTime();
  private long anyConnectedAt = time.nanoTime();
  private long allConnectedAt = time.nanoTime();
  private int first; // partition of the next page

  private PulsarDeliveries(
      ReadingClient pulsar,
      PulsarCluster cluster,
      PulsarSubscription subscription,
      ReceiverSettings settings) {
    this.pulsar = pulsar;
    this.cluster = cluster;
    this.subscription = subscription;
    this.reader = new PulsarReader(subscription.topic(), settings.origin());
    this.settings = settings;
    this.subscribing =
        new PulsarSubscribing(pulsar.client(), subscription, ANSWER_TIME_MAX.multipliedBy(2));
    this.log =
        new QuietLog(
            PulsarReceiver.class, "receiver Pulsar subscription " + subscription, settings.time());
  }

  static PulsarDeliveries open(
      PulsarCluster cluster, PulsarSubscription subscription, ReceiverSettings settings)
      throws Exception {
    ReadingClient pulsar = cluster.openToRead(ANSWER_TIME_MAX);
    try {
      PulsarDeliveries open = new PulsarDeliveries(pulsar, cluster, subscription, settings);
      open.subscribe(
          answer(
              pulsar.client().getPartitionsForTopic(subscription.topic(), true),
              ANSWER_TIME_MAX.multipliedBy(2)));
      return open;
    } catch (Exception e) {
      pulsar.close(); // and with it a consumer that comes too late
      throw e instanceof PulsarClientException
          ? new DestinationUnavailableException(
              "cannot subscribe as " + subscription + " at " + cluster + ": " + e.getMessage(), e)
          : e;
    }
  }

  private static <T> T answer(CompletableFuture<T> coming, Duration longest) throws Exception {
    try {
      return coming.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Subscribes to all, and waits until there is one. */
  private void subscribe(List<String> names) throws Exception {
    subscribing.begin(names, names.size());
    Void unused = answer(subscribing.first(), ANSWER_TIME_MAX.multipliedBy(3));
    Map<String, Throwable> failed = takeSubscribed();
    if (partitions.isEmpty() && !failed.isEmpty()) {
      Throwable why = failed.values().iterator().next();
      throw why instanceof Exception exception ? exception : new IOException(why);
    }
    say(failed);
  }

  /** Takes the consumers that have come, and returns why others have not. */
  private Map<String, Throwable> takeSubscribed() {
    return subscribing.take(
        consumer -> {
          PulsarPartition partition = new PulsarPartition(consumer);
          partitions.put(partition.name(), partition);
          missing.remove(partition.name());
        });
  }

  private void say(Map<String, Throwable> failed) {
    missing.addAll(failed.keySet());
    failed.forEach(
        (name, why) ->
            log.fails(
                Level.WARN,
                PARTITION,
                () -> "receives from other partitions, but cannot subscribe to " + name,
                why));
  }

  @Override
  public List<Batch<PulsarReader.Place>> receive(Duration patience) throws Exception {
    lookForPartitions();
    say(takeSubscribed());
    told.drainPermits();
    List<Batch<PulsarReader.Place>> came = page();
    if (came.isEmpty()) {
      partitions.values().forEach(each -> each.whenSomethingComes(told::release));
      if (told.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        came = page();
      }
    }
    if (came.isEmpty() && pulsar.end() != null) {
      throw new IOException(pulsar.end() + "; subscribes again behind it");
    }
    checkConnected(came.isEmpty());
    return came;
  }

  /** Partitions may be added to a topic at any time, and those that were not there may be now. */
  private void lookForPartitions() {
    long now = time.nanoTime();
    if (look == null && now - lookedAt > LOOK_EVERY.toNanos()) {
      look = pulsar.client().getPartitionsForTopic(subscription.topic(), false);
      lookedAt = now;
    }
    if (look != null && look.isDone()) {
      List<String> names = look.exceptionally(failure -> List.of()).join(); // asked again
      look = null;
      List<String> others = names.stream().filter(name -> !partitions.containsKey(name)).toList();
      subscribing.begin(others, names.size());
    }
  }

  /** Begins each time with another partition, so that none with many messages is always first. */
  private List<Batch<PulsarReader.Place>> page() throws Exception {
    List<Batch<PulsarReader.Place>> page = new ArrayList<>();
    List<PulsarPartition> all = new ArrayList<>(partitions.values());
    Collections.rotate(all, first++);
    int count = 0;
    long bytes = 0;
    for (PulsarPartition partition : all) {
      List<Arrival<PulsarReader.Place>> came = new ArrayList<>();
      while (count < PAGE_MAX && bytes < PAGE_BYTES_MAX) {
        Message<byte[]> next = partition.poll();
        if (next == null) {
          break;
        }
        came.add(arrival(next));
        count++;
        bytes += next.size();
        pulsar.taken(next.size());
      }
      if (!came.isEmpty()) {
        page.add(new Batch<>(partition.name(), came));
      }
    }
    return page;
  }

  /**
   * Ends this where Pulsar is away, which somebody must say, and where one partition was for long:
   * it is subscribed to again then, beside the others.
   */
  private void checkConnected(boolean isNothing) throws IOException {
    long now = time.nanoTime();
    List<String> away =
        partitions.values().stream()
            .filter(partition -> !partition.isConnected())
            .map(PulsarPartition::name)
            .toList();
    if (away.size() < partitions.size()) {
      anyConnectedAt = now;
    }
    if (away.isEmpty()) {
      allConnectedAt = now;
      if (missing.isEmpty()) {
        log.over(PARTITION);
      }
    } else if (isNothing && now - anyConnectedAt > AWAY_MAX.toNanos()) {
      throw new IOException("the connection to Pulsar at " + cluster + " was lost");
    } else if (now - allConnectedAt > ONE_AWAY_MAX.toNanos()) {
      throw new IOException("no connection to " + away + " for long; subscribes to all again");
    } else if (now - allConnectedAt > AWAY_MAX.toNanos()) {
      log.fails(
          Level.WARN,
          PARTITION,
          away.toString(),
          () -> "receives from other partitions, but has no connection to " + away);
    }
  }

  private Arrival<PulsarReader.Place> arrival(Message<byte[]> message) {
    return Arrival.read(
        PulsarReader.Place.of(message),
        message.size() + OVERHEAD_BYTES,
        () -> reader.read(message));
  }

  @Override
  public boolean pause(Object stream) {
    partition(stream).pause();
    return true;
  }

  @Override
  public void resume(Object stream) {
    partition(stream).resume();
  }

  private PulsarPartition partition(Object name) {
    return Objects.requireNonNull(partitions.get(name), "a partition that has delivered");
  }

  /** The client is not told how long a topic keeps a message. */
  @Override
  public Optional<Redelivery> redelivery() {
    return Optional.empty();
  }

  /** Only consumers that ask for it have a limit in Pulsar. */
  @Override
  public Optional<DeliveryLimit> deliveryLimit() {
    return Optional.empty();
  }

  /** What is not acknowledged stays with the consumer until it is closed. */
  @Override
  public void keep(List<PulsarReader.Place> held) {}

  @Override
  public void acknowledge(List<PulsarReader.Place> done) throws Exception {
    Map<String, List<MessageId>> ids = new LinkedHashMap<>();
    for (PulsarReader.Place place : done) {
      ids.computeIfAbsent(place.topic(), partition -> new ArrayList<>()).add(place.id());
    }
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    for (Map.Entry<String, List<MessageId>> each : ids.entrySet()) {
      answers.add(partition(each.getKey()).acknowledge(each.getValue()));
    }
    Void unused =
        answer(
            CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new)), ANSWER_TIME_MAX);
    ids.forEach((name, all) -> partition(name).acknowledged(all));
  }

  @Override
  public void setAside(Arrival<PulsarReader.Place> arrival) throws Exception {
    Message<byte[]> message = partition(arrival.place().topic()).message(arrival);
    settings.setAside(arrival, PulsarReader.payload(message));
  }

  /** The broker gives what is not acknowledged to others as soon as the consumers are closed. */
  @Override
  public void close() throws Exception {
    CompletableFuture<?>[] closing =
        partitions.values().stream()
            .map(PulsarPartition::close)
            .toArray(CompletableFuture<?>[]::new);
    try {
      Void unused = answer(CompletableFuture.allOf(closing), CLOSE_TIME_MAX);
    } catch (TimeoutException e) {
      throw new IOException("Pulsar did not say in time that the consumers are closed", e);
    } finally {
      log.tellRest();
      pulsar.close();
    }
  }
}
