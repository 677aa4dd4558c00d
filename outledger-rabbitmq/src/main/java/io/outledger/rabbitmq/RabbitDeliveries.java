// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ShutdownSignalException;
import io.outledger.Printable;
import io.outledger.cloudevents.TransportMessage;
import io.outledger.inbox.Received;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.Redelivery;
import io.outledger.receive.SingleStreamDeliveries;
import io.outledger.receive.Window;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open consumer of a queue. The broker pushes at most the prefetch count of deliveries, and they
 * wait here until they are received; {@link ReadAhead} bounds them in bytes. Used by one thread,
 * and by the client's for pushing.
 */
final class RabbitDeliveries implements SingleStreamDeliveries<RabbitDeliveries.Place> {

  private static final Logger LOG = LoggerFactory.getLogger(RabbitDeliveries.class);

  /** How the broker says that there is no queue. */
  private static final Pattern MISSING =
      Pattern.compile("NOT_FOUND - no queue ('.*') in vhost ('.*')", Pattern.DOTALL);

  private static final String NAME = "outledger receiver";
  private static final byte[] NOTHING = new byte[0];
  private static final Duration REQUEST_MAX = Duration.ofSeconds(3);
  private static final long BATCH_BYTES_MAX = 16L * 1024 * 1024;

  private final RabbitConnection connection;
  private final ReadAhead ahead;
  private final Channel channel;
  private final String queue;
  private final ReceiverSettings settings;
  private final RabbitBinding.Reader reader = new RabbitBinding.Reader();
  private final BlockingQueue<Delivery> pushed = new LinkedBlockingQueue<>();

  /** Payloads of what cannot be received, for those who want to note it, by tag. */
  private final Map<Long, byte[]> unread = new HashMap<>();

  private long lastHandedOver;
  private long lastAcknowledged;
  private volatile @Nullable String cancelled;

  /** Where a delivery lies: a queue, and the number that the channel gave it. */
  record Place(String queue, long tag) {
    @Override
    public String toString() {
      return "delivery " + tag + " of queue " + queue;
    }
  }

  private RabbitDeliveries(
      RabbitConnection connection, ReadAhead ahead, String queue, ReceiverSettings settings)
      throws IOException {
    this.connection = connection;
    this.ahead = ahead;
    this.channel = connection.channel();
    this.queue = queue;
    this.settings = settings;
  }

  /**
   * Connects and subscribes.
   *
   * @param prefetch how many deliveries may come ahead
   * @param window whether to heed the prefetch, or to have one come alone
   * @throws IOException if the broker cannot be reached, or has no such queue
   */
  static RabbitDeliveries open(
      RabbitBroker broker,
      String queue,
      Prefetch prefetch,
      Window window,
      ReceiverSettings settings)
      throws IOException, TimeoutException {
    AtomicReference<Socket> socket = new AtomicReference<>();
    ReadAhead ahead = new ReadAhead();
    Connection connected = broker.connectToRead(NAME, REQUEST_MAX, socket::set, ahead);
    RabbitConnection connection = new RabbitConnection(connected, socket.get());
    boolean isOpen = false;
    try {
      RabbitDeliveries opened = new RabbitDeliveries(connection, ahead, queue, settings);
      opened.subscribe(prefetch.of(window, ahead));
      LOG.info("receives from queue {} at RabbitMQ {}", Printable.value(queue), broker);
      isOpen = true;
      return opened;
    } finally {
      if (!isOpen) {
        ahead.end();
        connection.close();
      }
    }
  }

  private void subscribe(int prefetch) throws IOException {
    channel.basicQos(prefetch);
    try {
      channel.basicConsume(
          queue,
          false,
          (tag, delivery) -> pushed.add(delivery),
          tag -> cancelled = "RabbitMQ cancelled the consumer; does the queue still exist?");
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /** Returns why RabbitMQ lets nobody consume: a queue that is missing in plain words. */
  static IOException refused(IOException failure) {
    if (failure.getCause() instanceof ShutdownSignalException signal
        && signal.getReason() instanceof AMQP.Channel.Close close
        && close.getReplyCode() == AMQP.NOT_FOUND) {
      Matcher missing = MISSING.matcher(close.getReplyText());
      if (missing.matches()) {
        return new IOException(
            "queue %s does not exist in vhost %s: declare it"
                .formatted(missing.group(1), missing.group(2)),
            failure);
      }
    }
    return failure;
  }

  @Override
  public List<Batch<Place>> receive(Duration patience) throws Exception {
    String reason = cancelled;
    Delivery first = pushed.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    ShutdownSignalException closed = channel.getCloseReason();
    if (closed != null) { // nothing of what is left could be acknowledged, and it comes again
      throw new IOException(closed.getMessage(), closed);
    }
    if (first == null) {
      if (reason != null && lastHandedOver == lastAcknowledged) {
        throw new IOException(reason); // else that waits: a queue that is gone has it no more
      }
      return List.of();
    }
    List<Arrival<Place>> arrivals = new ArrayList<>();
    long bytes = 0;
    for (Delivery next = first;
        next != null;
        next = bytes < BATCH_BYTES_MAX ? pushed.poll() : null) {
      Arrival<Place> arrival = arrival(next);
      bytes += arrival.bytes();
      arrivals.add(arrival);
    }
    return List.of(new Batch<>(queue, arrivals));
  }

  private Arrival<Place> arrival(Delivery delivery) {
    ahead.taken();
    lastHandedOver = delivery.getEnvelope().getDeliveryTag();
    Place place = new Place(queue, delivery.getEnvelope().getDeliveryTag());
    int bytes = delivery.getBody().length;
    Arrival<Place> arrival =
        Arrival.read(place, bytes, () -> read(reader, place, delivery, settings.origin()));
    if (arrival.message() == null) {
      unread.put(place.tag(), delivery.getBody());
    }
    return arrival;
  }

  /** Reads a delivery. */
  static Received read(
      RabbitBinding.Reader reader, Place place, Delivery delivery, @Nullable String origin) {
    String from = origin == null ? place.queue() : origin;
    BasicProperties properties = delivery.getProperties();
    return reader.read(new Delivered(place, from, delivery.getBody()), properties);
  }

  /** The protocol does not tell how long a queue keeps a message. */
  @Override
  public Optional<Redelivery> redelivery() {
    return Optional.empty();
  }

  /** Quorum queues count deliveries, and a consumer is not told how many they allow. */
  @Override
  public Optional<DeliveryLimit> deliveryLimit() {
    return Optional.of(
        new DeliveryLimit(
            null,
            "a quorum queue of RabbitMQ drops a message after x-delivery-limit deliveries (20"
                + " unless set), or moves it to its dead-letter exchange: give the queue one"));
  }

  /** RabbitMQ waits for its {@code consumer_timeout}, and cannot be told to wait longer. */
  @Override
  public void keep(List<Place> held) {}

  /** All at once: they are the first ones of the one stream, since it is kept in order. */
  @Override
  public void acknowledge(List<Place> done) throws IOException {
    done.forEach(place -> unread.remove(place.tag()));
    lastAcknowledged = done.get(done.size() - 1).tag();
    channel.basicAck(lastAcknowledged, true);
  }

  @Override
  public void setAside(Arrival<Place> arrival) throws Exception {
    settings.setAside(arrival, unread.getOrDefault(arrival.place().tag(), NOTHING));
  }

  /** Closing the channel first has the broker carry out the acknowledgements before. */
  @Override
  public void close() throws Exception {
    ahead.end();
    try {
      if (channel.isOpen()) {
        channel.close();
      }
    } finally {
      connection.close();
    }
  }

  /** A delivery apart from its headers. */
  private record Delivered(
      Place at, String origin, @SuppressWarnings("ArrayRecordComponent") byte[] payload)
      implements TransportMessage {

    @Override
    public String place() {
      return at.toString();
    }

    @Override
    public String topic() {
      return at.queue();
    }

    @Override
    public @Nullable String key() {
      return null;
    }
  }
}
