// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.inbox.Received;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.Redelivery;
import io.outledger.receive.SingleStreamDeliveries;
import io.outledger.receive.Window;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An open consumer with a transacted session. Such a session acknowledges all that it has received
 * at once, so it commits when nothing is outstanding, and receives nothing more until then. What
 * was done and not committed comes again after a crash, and the inbox knows it.
 *
 * <p>A client that cannot make a message of what has come throws something unchecked, each time.
 * With a window of one the session is one that can be recovered: the broker counts that as a
 * delivery of the one message that was to be received, until it has dead letters take it.
 */
final class JmsDeliveries implements SingleStreamDeliveries<JmsDeliveries.Place> {

  private static final byte[] NOTHING = new byte[0];
  private static final Duration REQUEST_MAX = Duration.ofSeconds(3);
  private static final long BATCH_BYTES_MAX = 16L * 1024 * 1024;
  private static final int WITHHELD_MAX = 100;

  private final Connection connection;
  private final Window window;
  private Session session;
  private MessageConsumer consumer;
  private final Receiving receiving;
  private final Requests requests;
  private final Set<Place> outstanding = new HashSet<>();

  /** What cannot be received, for those who want to note it. */
  private final Map<Place, Message> unread = new HashMap<>();

  private final CountDownLatch broken = new CountDownLatch(1);
  private volatile @Nullable JMSException failure;
  private long count;
  private @Nullable Throwable unmade; // why the client could not make the next message
  private @Nullable Message last; // of a window of one
  private @Nullable Place withheld; // by the client
  private int withheldInARow;

  /** A message's number since the consumer was opened. */
  record Place(String from, long number) {
    @Override
    public String toString() {
      return "message " + number + " of " + from;
    }
  }

  private JmsDeliveries(
      Connection connection, Window window, Receiving receiving, Requests requests)
      throws JMSException {
    this.connection = connection;
    this.window = window;
    this.receiving = receiving;
    this.requests = requests;
    this.session = session();
    this.consumer = consumer();
  }

  /** What is received, and how. */
  record Receiving(JmsReceiver.From from, JmsReceiver.Limits limits, ReceiverSettings settings) {}

  /**
   * Connects and subscribes.
   *
   * @throws Exception if the broker cannot be reached in time, or has no such queue
   */
  static JmsDeliveries open(JmsBroker broker, Receiving receiving, Window window) throws Exception {
    Requests requests = new Requests();
    boolean isOpen = false;
    try {
      JmsDeliveries opened =
          requests.within(REQUEST_MAX, () -> connected(broker, window, receiving, requests));
      isOpen = true;
      return opened;
    } finally {
      if (!isOpen) {
        requests.end();
      }
    }
  }

  private static JmsDeliveries connected(
      JmsBroker broker, Window window, Receiving receiving, Requests requests) throws JMSException {
    Connection connection = broker.connect();
    boolean isOpen = false;
    try {
      JmsDeliveries opened = new JmsDeliveries(connection, window, receiving, requests);
      connection.setExceptionListener(opened::broken);
      connection.start();
      isOpen = !requests.isEnded(); // else nobody would close it
      return opened;
    } finally {
      if (!isOpen) {
        connection.close();
      }
    }
  }

  private Session session() throws JMSException {
    return window == Window.FULL
        ? connection.createSession(true, Session.SESSION_TRANSACTED)
        : connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
  }

  private MessageConsumer consumer() throws JMSException {
    JmsReceiver.From from = receiving.from();
    String subscription = from.subscription();
    return subscription == null
        ? session.createConsumer(session.createQueue(from.name()))
        : session.createSharedDurableConsumer(session.createTopic(from.name()), subscription);
  }

  private void broken(JMSException cause) {
    failure = cause;
    broken.countDown();
  }

  @Override
  public List<Batch<Place>> receive(Duration patience) throws Exception {
    if (!outstanding.isEmpty()) {
      broken.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
    JMSException cause = failure;
    if (cause != null) {
      throw cause;
    }
    if (!outstanding.isEmpty()) {
      return List.of();
    }
    if (unmade != null) {
      throw new IOException(
          "the client cannot make a message of what has come: " + Printable.text(unmade), unmade);
    }
    return window == Window.FULL ? receiveMany(patience) : receiveOne(patience);
  }

  private List<Batch<Place>> receiveOne(Duration patience) throws Exception {
    if (withheldInARow >= WITHHELD_MAX) { // or a broker that sets no limit had the log flooded
      broken.await(1, TimeUnit.SECONDS);
    }
    Arrival<Place> arrival;
    try {
      Message next = consumer.receive(Math.max(1, patience.toMillis()));
      if (next == null) {
        return List.of();
      }
      last = next;
      withheldInARow = 0;
      arrival = arrival(next);
    } catch (RuntimeException | Error e) { // of the client: ours never get here
      withheldInARow++;
      arrival = withheld(e);
    }
    return List.of(new Batch<>(receiving.from(), List.of(arrival)));
  }

  private Arrival<Place> withheld(Throwable thrown) {
    Place place = new Place(receiving.from().toString(), ++count);
    outstanding.add(place);
    withheld = place;
    InvalidMessageException problem =
        new InvalidMessageException(
            ErrorCode.INVALID_MESSAGE,
            place + " cannot be read by the broker's client: " + Printable.text(thrown),
            thrown);
    return new Arrival<>(place, 0, null, problem);
  }

  private List<Batch<Place>> receiveMany(Duration patience) throws Exception {
    List<Arrival<Place>> arrivals = new ArrayList<>();
    long bytes = 0;
    Message next = consumer.receive(Math.max(1, patience.toMillis()));
    while (next != null) {
      Arrival<Place> arrival = arrival(next);
      arrivals.add(arrival);
      bytes += arrival.bytes();
      boolean isFull = arrivals.size() >= receiving.limits().batchMax() || bytes >= BATCH_BYTES_MAX;
      next = isFull ? null : following();
    }
    return arrivals.isEmpty() ? List.of() : List.of(new Batch<>(receiving.from(), arrivals));
  }

  /**
   * What the client cannot make ends this consumer only when those before it are committed, and
   * nothing behind it is received until then: that would acknowledge it as well. Where the session
   * has failed, nothing could be committed; nor after Artemis's client has met a body that ends too
   * early, by which it marks the session to be rolled back.
   */
  private @Nullable Message following() throws JMSException {
    try {
      return consumer.receiveNoWait();
    } catch (IndexOutOfBoundsException e) {
      throw e;
    } catch (RuntimeException | Error e) { // of the client: ours never get here
      unmade = e;
      return null;
    }
  }

  private Arrival<Place> arrival(Message message) throws JMSException {
    Place place = new Place(receiving.from().toString(), ++count);
    outstanding.add(place);
    String name = receiving.from().name();
    String given = receiving.settings().origin();
    JmsBinding.Origin origin = new JmsBinding.Origin(name, given == null ? name : given);
    int bytesMax = receiving.limits().payloadBytesMax();
    Arrival<Place> arrival =
        Arrival.read(place, 0, () -> JmsBinding.read(place.toString(), origin, message, bytesMax));
    Received read = arrival.message();
    if (read != null) {
      return new Arrival<>(place, read.payload().length, read, null);
    }
    unread.put(place, message);
    return arrival;
  }

  /** The API does not tell how long a queue keeps a message. */
  @Override
  public Optional<Redelivery> redelivery() {
    return Optional.empty();
  }

  /** Brokers count deliveries, each in its way, and Jakarta Messaging does not tell how many. */
  @Override
  public Optional<DeliveryLimit> deliveryLimit() {
    return Optional.of(
        new DeliveryLimit(
            null,
            "brokers drop a message, or move it to their dead letters, after so many deliveries"
                + " (Artemis after 10, max-delivery-attempts): give the queue a dead letter"
                + " address"));
  }

  /** What a session has received stays with it until it commits or ends. */
  @Override
  public void keep(List<Place> held) {}

  @Override
  public void acknowledge(List<Place> done) throws Exception {
    outstanding.removeAll(new HashSet<>(done));
    unread.keySet().retainAll(outstanding);
    if (outstanding.isEmpty()) {
      requests.within(
          REQUEST_MAX,
          () -> {
            acknowledgeAll();
            return true;
          });
    }
  }

  private void acknowledgeAll() throws JMSException {
    if (withheld != null) {
      withheld = null;
      session.recover();
      session.close(); // Artemis takes no acknowledgement of one that has failed so
      session = session();
      consumer = consumer();
    } else if (last != null) {
      last.acknowledge();
    } else {
      session.commit();
    }
  }

  @Override
  public void setAside(Arrival<Place> arrival) throws Exception {
    Message message = unread.get(arrival.place());
    byte[] payload =
        message == null ? null : JmsBinding.payload(message, receiving.limits().payloadBytesMax());
    receiving.settings().setAside(arrival, payload == null ? NOTHING : payload);
  }

  /** Closing rolls back, so that what was not committed is delivered again. */
  @Override
  public void close() throws Exception {
    try {
      requests.within(
          REQUEST_MAX,
          () -> {
            connection.close();
            return true;
          });
    } finally {
      requests.end();
    }
  }
}
