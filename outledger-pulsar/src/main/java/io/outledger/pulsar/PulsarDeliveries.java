// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.Deliveries;
import io.outledger.receive.ReceiverSettings;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/** A consumer of a subscription. For one thread. */
final class PulsarDeliveries implements Deliveries<PulsarReader.Place> {

  private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(5);
  private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(3);
  private static final Duration AWAY_MAX = Duration.ofSeconds(5);
  private static final int PAGE_MAX = 100;
  private static final int PAGE_BYTES_MAX = 4 * 1024 * 1024;
  private static final int OVERHEAD_BYTES = 500;

  private final PulsarClient pulsar;
  private final Consumer<byte[]> consumer;
  private final PulsarCluster cluster;
  private final PulsarReader reader;
  private final ReceiverSettings settings;
  private final TimeSource time = TimeSource.system(); // of the network, whatever the receiver's is

  /** What was delivered and not acknowledged: a consumer that connects again receives it again. */
  private final Map<PulsarReader.Place, Message<byte[]>> unfinished = new HashMap<>();

  private long connectedAt = time.nanoTime();

  private PulsarDeliveries(
      PulsarClient pulsar,
      Consumer<byte[]> consumer,
      PulsarCluster cluster,
      PulsarReader reader,
      ReceiverSettings settings) {
    this.pulsar = pulsar;
    this.consumer = consumer;
    this.cluster = cluster;
    this.reader = reader;
    this.settings = settings;
  }

  static PulsarDeliveries open(
      PulsarCluster cluster, PulsarSubscription subscription, ReceiverSettings settings)
      throws Exception {
    PulsarClient pulsar = cluster.open(ANSWER_TIME_MAX);
    try {
      // The client gives up by itself; twice that is for what it does not.
      Consumer<byte[]> consumer =
          answer(subscription.consumer(pulsar), ANSWER_TIME_MAX.multipliedBy(2));
      PulsarReader reader = new PulsarReader(subscription.topic(), settings.origin());
      return new PulsarDeliveries(pulsar, consumer, cluster, reader, settings);
    } catch (Exception e) {
      var unused = pulsar.closeAsync(); // and with it a consumer that comes too late
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

  @Override
  public List<Batch<PulsarReader.Place>> receive(Duration patience) throws Exception {
    Map<Object, List<Arrival<PulsarReader.Place>>> came = new LinkedHashMap<>();
    Message<byte[]> next =
        consumer.receive(Math.toIntExact(patience.toMillis()), TimeUnit.MILLISECONDS);
    if (next == null) {
      checkConnected();
    }
    long bytes = 0;
    for (int count = 1; next != null; count++) {
      bytes += next.size();
      PulsarReader.Place place = PulsarReader.Place.of(next);
      if (unfinished.put(place, next) == null) {
        came.computeIfAbsent(place.topic(), partition -> new ArrayList<>())
            .add(arrival(place, next));
      }
      boolean isFull = count >= PAGE_MAX || bytes >= PAGE_BYTES_MAX;
      next = isFull ? null : consumer.receive(0, TimeUnit.MILLISECONDS);
    }
    return came.entrySet().stream()
        .map(partition -> new Batch<>(partition.getKey(), partition.getValue()))
        .toList();
  }

  /** Nothing came: because there is nothing, or because Pulsar is away, which somebody must say. */
  private void checkConnected() throws IOException {
    long now = time.nanoTime();
    if (consumer.isConnected()) {
      connectedAt = now;
    } else if (now - connectedAt > AWAY_MAX.toNanos()) {
      throw new IOException("the connection to Pulsar at " + cluster + " was lost");
    }
  }

  private Arrival<PulsarReader.Place> arrival(PulsarReader.Place place, Message<byte[]> message) {
    return Arrival.read(place, message.size() + OVERHEAD_BYTES, () -> reader.read(message));
  }

  @Override
  public void acknowledge(List<PulsarReader.Place> done) throws Exception {
    List<MessageId> ids = done.stream().map(PulsarReader.Place::id).toList();
    Void unused = answer(consumer.acknowledgeAsync(ids), ANSWER_TIME_MAX);
    unfinished.keySet().removeAll(done);
  }

  @Override
  public void setAside(Arrival<PulsarReader.Place> arrival) throws Exception {
    Message<byte[]> message =
        Objects.requireNonNull(
            unfinished.get(arrival.place()), "delivered and not yet acknowledged");
    settings.setAside(arrival, PulsarReader.payload(message));
  }

  /** The broker gives what is not acknowledged to others as soon as the consumer is closed. */
  @Override
  public void close() throws Exception {
    try {
      Void unused = answer(consumer.closeAsync(), CLOSE_TIME_MAX);
    } catch (TimeoutException e) {
      throw new IOException("Pulsar did not say in time that the consumer is closed", e);
    } finally {
      var unused = pulsar.closeAsync(); // whose threads take seconds to end
    }
  }
}
