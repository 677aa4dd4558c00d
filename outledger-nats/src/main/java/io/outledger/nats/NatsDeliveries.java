// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Options;
import io.nats.client.PullRequestOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.Redelivery;
import io.outledger.receive.SingleStreamDeliveries;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/** A durable pull consumer on an open connection. For one thread. */
final class NatsDeliveries implements SingleStreamDeliveries<NatsReader.Place> {

  private static final ErrorListener SILENT = new ErrorListener() {};
  private static final int PAGE_MAX = 64;
  private static final long PAGE_BYTES_MAX = 16L * 1024 * 1024;
  private static final int LOOK_EVERY = 20;
  private static final int FIRST_LOOK = 2;
  private static final Duration PONG_TIME_MAX = Duration.ofSeconds(1);
  private static final Duration FLUSH_TIME_MAX = Duration.ofSeconds(3);
  private static final byte[] NAK = {'-', 'N', 'A', 'K'};

  private final Connection connection;
  private final NatsConsumer consumer;
  private final JetStreamSubscription subscription;
  private final NatsReader reader = new NatsReader();
  private final ReceiverSettings settings;
  private final Unfinished unfinished;
  private final NatsWithheld withheld;
  private final long pageMax;
  private final long pageBytesMax;
  private final TimeSource time = TimeSource.system(); // of the network, whatever the receiver's is
  private int emptyInARow = FIRST_LOOK - 1;
  private boolean isReading = true;
  private long requestNanos; // how long the server keeps a request for messages

  /**
   * What was delivered and not acknowledged, also by a connection that was lost: the server would
   * deliver it again only when the time to acknowledge it is over.
   */
  static final class Unfinished {
    private final Map<NatsReader.Place, Message> messages = new LinkedHashMap<>();
  }

  private NatsDeliveries(
      Connection connection,
      NatsConsumer consumer,
      ReceiverSettings settings,
      Unfinished unfinished)
      throws IOException, JetStreamApiException {
    this.connection = connection;
    this.consumer = consumer;
    this.settings = settings;
    this.unfinished = unfinished;
    this.withheld = new NatsWithheld(connection, consumer);
    ConsumerConfiguration made = consumer.make(connection).getConsumerConfiguration();
    this.pageMax = least(Math.min(PAGE_MAX, consumer.ahead()), made.getMaxBatch());
    this.pageBytesMax = least(PAGE_BYTES_MAX, made.getMaxBytes());
    this.subscription = consumer.subscribe(connection);
  }

  /** A request beyond what the consumer allows is refused, of which the client tells nobody. */
  private static long least(long own, long allowed) {
    return allowed > 0 ? Math.min(own, allowed) : own;
  }

  static NatsDeliveries open(
      Options options, NatsConsumer consumer, ReceiverSettings settings, Unfinished unfinished)
      throws Exception {
    // With threads of the user's own it shows only when the server does not answer in time.
    CompletableFuture<Connection> made = new CompletableFuture<>();
    Options.Builder own = NatsConnecting.listening(options, SILENT).maxReconnects(0);
    if (options.executorIsInternal() && options.getReaderExecutor() == options.getExecutor()) {
      own.readerExecutor(
          new ReadingThreads(
              () -> {
                var unused = made.thenAccept(NatsConnecting::close);
              }));
    }
    Connection connection = NatsConnecting.connect(own.build());
    made.complete(connection);
    try {
      NatsDeliveries open = new NatsDeliveries(connection, consumer, settings, unfinished);
      open.giveBackAll();
      return open;
    } catch (IOException | JetStreamApiException | RuntimeException e) {
      NatsConnecting.close(connection);
      throw e;
    }
  }

  @Override
  public List<Batch<NatsReader.Place>> receive(Duration patience) throws Exception {
    requestNanos = patience.toNanos();
    List<Message> came = new ArrayList<>(subscription.fetch(1, patience));
    if (came.isEmpty()) {
      return lookWhyNothingCame();
    }
    emptyInARow = 0;
    List<Arrival<NatsReader.Place>> page = new ArrayList<>();
    take(came.get(0), page);
    if (consumer.ahead() > 1) {
      takeWhatIsThere(came.get(0), page, patience);
    }
    return page.isEmpty() ? List.of() : List.of(new Batch<>(consumer.durable(), page));
  }

  /** One that took longer than the server waits comes again, with another address to answer to. */
  private void take(Message message, List<Arrival<NatsReader.Place>> page) {
    NatsReader.Place place = NatsReader.Place.of(message);
    if (unfinished.messages.put(place, message) == null) {
      page.add(arrival(place, message));
    }
  }

  /**
   * Takes as many more as there are, by what the server said with the first. The server keeps the
   * bound in bytes too, since what it has sent waits in the client's memory. A failure is of a
   * connection or a consumer that is gone: what came before it could not be acknowledged, and is
   * given back at once.
   */
  private void takeWhatIsThere(
      Message first, List<Arrival<NatsReader.Place>> page, Duration patience)
      throws InterruptedException {
    long there = first.metaData().pendingCount();
    int more = (int) Math.min(there, pageMax - 1);
    long bytes = pageBytesMax - first.consumeByteCount();
    if (more <= 0 || bytes <= 0) {
      return;
    }
    // With an end, since the server would keep a request that it may not answer yet.
    subscription.pull(PullRequestOptions.noWait(more).maxBytes(bytes).expiresIn(patience).build());
    for (int taken = 0; taken < more; taken++) {
      Message next = subscription.nextMessage(patience);
      if (next == null) {
        return;
      }
      take(next, page);
    }
  }

  /**
   * Nothing came: because there is nothing, because the consumer is gone, or because the client
   * withholds what came.
   */
  private List<Batch<NatsReader.Place>> lookWhyNothingCame() throws Exception {
    if (connection.getStatus() != Connection.Status.CONNECTED) {
      throw new IOException("the connection to NATS was lost");
    }
    if (++emptyInARow % LOOK_EVERY != FIRST_LOOK) {
      return List.of();
    }
    checkIsReading();
    // Requests to a consumer that is gone are not answered, unless they wait when it goes.
    ConsumerInfo info = consumer.checkIsThere(connection);
    List<Arrival<NatsReader.Place>> found =
        info.getNumAckPending() > unfinished.messages.size()
            ? withheld.look(info, unfinished.messages::containsKey)
            : List.of();
    return found.isEmpty() ? List.of() : List.of(new Batch<>(consumer.durable(), found));
  }

  /**
   * The client's reader ends at headers that it cannot read, says so to nobody, and leaves the
   * connection open. The next connection finds what they were.
   */
  private void checkIsReading() throws IOException {
    isReading = NatsConnecting.isThere(connection, PONG_TIME_MAX);
    if (!isReading) {
      throw new IOException(
          "NATS does not answer, or its client has ended at something that it cannot read");
    }
  }

  private Arrival<NatsReader.Place> arrival(NatsReader.Place place, Message message) {
    int bytes = Math.toIntExact(message.consumeByteCount());
    return Arrival.read(place, bytes, () -> reader.read(message, settings.origin()));
  }

  /** Acknowledged messages may stay in the stream; a consumer that is created again gets them. */
  @Override
  public Optional<Redelivery> redelivery() throws IOException, JetStreamApiException {
    StreamConfiguration stream =
        connection.jetStreamManagement().getStreamInfo(consumer.stream()).getConfiguration();
    if (stream.getRetentionPolicy() != RetentionPolicy.Limits) {
      return Optional.empty();
    }
    Duration age = stream.getMaxAge();
    String what = "stream " + consumer.stream() + " (max_age)";
    return Optional.of(new Redelivery(what, age == null || age.isZero() ? null : age));
  }

  /** A consumer that would give up is refused. */
  @Override
  public Optional<DeliveryLimit> deliveryLimit() {
    return Optional.empty();
  }

  @Override
  public void acknowledge(List<NatsReader.Place> done) throws Exception {
    for (NatsReader.Place place : done) {
      if (!withheld.terminate(place)) {
        message(place).ack();
      }
    }
    flush(); // the server has them now
    unfinished.messages.keySet().removeAll(done);
  }

  /** Where the client's reader has ended, the server is not heard, and closing need not wait. */
  private void flush() throws Exception {
    try {
      connection.flush(FLUSH_TIME_MAX);
    } catch (TimeoutException e) {
      isReading = false;
      throw e;
    }
  }

  private Message message(NatsReader.Place place) {
    return Objects.requireNonNull(unfinished.messages.get(place), "delivered and not acknowledged");
  }

  @Override
  public void keep(List<NatsReader.Place> held) {
    for (NatsReader.Place place : held) {
      if (withheld.payload(place) == null) { // else the server may deliver it again, in vain
        message(place).inProgress();
      }
    }
  }

  @Override
  public void setAside(Arrival<NatsReader.Place> arrival) throws Exception {
    byte[] unseen = withheld.payload(arrival.place());
    byte[] payload = unseen == null ? message(arrival.place()).getData() : unseen;
    settings.setAside(arrival, payload == null ? new byte[0] : payload);
  }

  /** Has the server deliver again at once what was not acknowledged. */
  private void giveBackAll() {
    for (Message message : unfinished.messages.values()) {
      // By its address, since the message's own connection may be closed.
      connection.publish(message.getReplyTo(), NAK);
    }
    unfinished.messages.clear();
  }

  /**
   * Takes what the server has sent and nobody has fetched. Ends when the server has no request of
   * this consumer any more: it would deliver to it what is given back, and then wait in vain for
   * the acknowledgement.
   */
  private void takeRest() throws Exception {
    flush(); // it has them all now, and ends them in their time
    long started = time.nanoTime();
    for (long left = requestNanos; left > 0; left = requestNanos - (time.nanoTime() - started)) {
      Message rest = subscription.nextMessage(Duration.ofNanos(left));
      if (rest != null) {
        unfinished.messages.put(NatsReader.Place.of(rest), rest);
      }
    }
  }

  @Override
  public void close() throws Exception {
    try {
      if (isReading && connection.getStatus() == Connection.Status.CONNECTED) {
        try {
          takeRest();
        } finally {
          giveBackAll();
        }
        flush();
      }
    } finally {
      NatsConnecting.close(connection);
    }
  }
}
