// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ShutdownSignalException;
import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection for as long as nothing goes wrong with it. The first failure that leaves a message's
 * fate unknown ends it: were it to continue, later messages of the key would overtake the one that
 * is sent again. What concerns one exchange ends that exchange's channel alone.
 */
final class RabbitClient implements PublisherClient {

  private static final int LOOKS_PER_DELIVERY = 16;
  private static final String UNCONFIRMED =
      "no answer from RabbitMQ in %s ms; if it answers others, see whether the message's queue has"
          + " a leader and a majority of its members (rabbitmq-queues"
          + " check_if_node_is_quorum_critical)";

  private final RabbitConnection connection;
  private final RabbitPublisher.Choices choices;
  private final Outcomes outcomes;
  private final RabbitBinding binding;
  private final TimeSource time = TimeSource.system();
  private final long limitNanos;
  private final int frameBytesMax;
  // The relay's thread alone publishes, so it alone uses the map.
  private final Map<String, ExchangeChannel> channels = new HashMap<>();

  /** When each message without an outcome was handed over, by position. */
  private final Map<Long, Long> unanswered = new ConcurrentHashMap<>();

  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(RabbitClient::daemon);

  /** Why this has ended; null while it has not. */
  private volatile @Nullable String ended;

  private RabbitClient(
      RabbitConnection connection,
      RabbitPublisher.Choices choices,
      Duration deliveryTimeMax,
      Outcomes outcomes) {
    this.connection = connection;
    this.choices = choices;
    this.outcomes = outcomes;
    this.binding = new RabbitBinding(choices.source());
    this.frameBytesMax = connection.connection().getFrameMax();
    // Two looks before the end of its time: one may come late, and the end itself takes a little.
    this.limitNanos =
        deliveryTimeMax.multipliedBy(LOOKS_PER_DELIVERY - 2).toNanos() / LOOKS_PER_DELIVERY;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outledger-rabbitmq watch");
    thread.setDaemon(true);
    return thread;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it never ends by itself, and throws nothing
  static RabbitClient open(
      RabbitConnection connection,
      RabbitPublisher.Choices choices,
      Duration deliveryTimeMax,
      Outcomes outcomes) {
    RabbitClient client = new RabbitClient(connection, choices, deliveryTimeMax, outcomes);
    connection.connection().addShutdownListener(client::connectionEnded);
    connection.connection().addBlockedListener(client::blocked, () -> {});
    long micros = Math.max(1, deliveryTimeMax.toNanos() / 1_000 / LOOKS_PER_DELIVERY);
    client.watch.scheduleWithFixedDelay(client::look, micros, micros, TimeUnit.MICROSECONDS);
    return client;
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    unanswered.put(position, time.nanoTime());
    if (ended == null) {
      Outcome known = send(position, message);
      if (known != null) {
        answer(position, known);
      }
    }
    // Looked at again: whoever ended this in between may have looked before it was remembered. An
    // ended client must not be kept, so this is no outage in which the fate of messages is known.
    String reason = ended;
    if (reason != null) {
      answer(position, Outcome.unavailable(reason));
    }
  }

  /** Sends a message, or returns its outcome. */
  private @Nullable Outcome send(long position, Message message) {
    byte[] body = message.payload();
    if (body.length > choices.bodyBytesMax()) {
      return Outcome.rejected(
          "the payload has "
              + body.length
              + " bytes, but the limit is "
              + choices.bodyBytesMax()
              + "; raise RabbitPublisher.bodyBytesMax and the broker's max_message_size");
    }
    RabbitRoute route;
    BasicProperties properties;
    try {
      route = Require.nonNull("the routing function's answer", choices.routing().apply(message));
      properties = binding.properties(position, message, frameBytesMax);
    } catch (RuntimeException e) { // also of the user's function
      return Outcome.refused(Printable.text(e));
    }
    try {
      return channel(route.exchange()).publish(position, route.routingKey(), properties, body);
    } catch (IOException | RuntimeException e) {
      end("cannot publish to RabbitMQ: " + Printable.text(e));
      return null; // it was told with all the others
    }
  }

  private ExchangeChannel channel(String exchange) throws IOException {
    ExchangeChannel channel = channels.get(exchange);
    if (channel == null || !channel.isOpen()) {
      channel = ExchangeChannel.open(exchange, connection.channel(), this);
      channels.put(exchange, channel);
    }
    return channel;
  }

  /** Returns the outcome of a message that no queue took. */
  Outcome unroutable(String exchange, String text) {
    String reason =
        "RabbitMQ returned it: "
            + text
            + (exchange.isEmpty()
                ? "; declare the queue that has the routing key's name"
                : "; bind a queue to exchange '" + exchange + "' for its routing key");
    return choices.isByTopic() ? Outcome.topicUnavailable(reason) : Outcome.rejected(reason);
  }

  /** Reports an outcome, unless one was reported. Once {@link #close} has returned, nothing is. */
  synchronized void answer(long position, Outcome outcome) {
    if (unanswered.remove(position) != null) {
      outcomes.report(position, outcome);
    }
  }

  /** Ends this: what is on its way has an unknown fate, and nothing more is sent. */
  void end(String reason) {
    if (ended == null) {
      ended = reason;
    }
    connection.sever();
    Outcome outcome = Outcome.unavailable(String.valueOf(ended));
    unanswered.keySet().forEach(position -> answer(position, outcome));
  }

  private void connectionEnded(ShutdownSignalException signal) {
    if (!signal.isInitiatedByApplication()) {
      end("the connection to RabbitMQ has ended: " + Printable.text(signal));
    }
  }

  private void blocked(String reason) {
    end("RabbitMQ takes no messages for now: " + reason + "; see its memory and disk alarms");
  }

  /** Looks for messages without an answer: whether its queue or the broker is silent, shows. */
  private void look() {
    long now = time.nanoTime();
    for (Map.Entry<Long, Long> each : unanswered.entrySet()) {
      long age = now - each.getValue();
      if (age >= limitNanos) {
        answer(each.getKey(), Outcome.unanswered(UNCONFIRMED.formatted(age / 1_000_000)));
      }
    }
  }

  /** Each message is written to the socket as it comes. */
  @Override
  public void flush() {}

  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    boolean isIdle = ended == null && unanswered.isEmpty();
    if (ended == null) {
      ended = "the RabbitMQ client was closed before RabbitMQ answered";
    }
    watch.shutdownNow();
    if (isIdle) {
      connection.close();
    }
    end(String.valueOf(ended));
  }
}
