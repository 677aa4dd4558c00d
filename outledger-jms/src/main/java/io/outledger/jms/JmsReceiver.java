// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.MessageLimits;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.UnreadableMessages;
import org.jspecify.annotations.Nullable;

/**
 * Receives the CloudEvents of a queue, or of a subscription to a topic, and hands them to a {@link
 * BatchHandler} in the broker's order. What was received is committed at the broker only after it
 * has taken effect, or is parked; so after a crash messages come again, and a handler with an inbox
 * does nothing twice.
 *
 * <p>A message that fails is parked where the handler is an inbox's: it holds its key, and is
 * retried. With other handlers, and where it cannot be parked, it holds the queue: it waits in this
 * process, in its place, until it succeeds. Nothing is given back to the broker while it is
 * handled, so the broker counts no failed delivery and moves nothing to its own dead letters.
 *
 * <p>Several receivers of one queue keep the order of keys where the broker keeps message groups
 * together and the publisher sets them, as {@link JmsPublisher} does.
 *
 * <p>Immutable and thread-safe; each start is a consumer of its own.
 */
public final class JmsReceiver extends BrokerReceiver<JmsReceiver> {

  private static final int BATCH_DEFAULT = 100;
  private static final int BATCH_MAX = 10_000;
  private static final int NAME_CHARS_MAX = 200;

  private final JmsBroker broker;
  private final From from;
  private final Limits limits;

  /** Where messages come from: a queue, or a topic where there is a subscription. */
  record From(String name, @Nullable String subscription) {
    @Override
    public String toString() {
      return subscription == null
          ? "queue " + name
          : "subscription " + subscription + " to topic " + name;
    }
  }

  /** How much is received at a time. */
  record Limits(int batchMax, int payloadBytesMax) {}

  private JmsReceiver(JmsBroker broker, From from, Limits limits, ReceiverSettings settings) {
    super(settings);
    this.broker = broker;
    this.from = from;
    this.limits = limits;
  }

  /**
   * Makes a receiver of a queue.
   *
   * @param queue its name. It is part of each message's identity in an inbox, so that nobody who
   *     may write to one queue can pass for a sender of another
   * @throws ConfigurationException {@code OUT-021} if it does not have 1 to 200 characters of ASCII
   *     without spaces
   */
  public static JmsReceiver fromQueue(JmsBroker broker, String queue) {
    return of(broker, new From(checked("queue", queue), null));
  }

  /**
   * Makes a receiver of a shared durable subscription to a topic, which all receivers with this
   * name share, and which the first one makes. Messages that are sent before that are not received.
   *
   * @param topic the topic's name; part of each message's identity in an inbox, as a queue's is
   * @param subscription the subscription's name, which must never change
   * @throws ConfigurationException {@code OUT-021} if either does not have 1 to 200 characters of
   *     ASCII without spaces
   */
  public static JmsReceiver fromTopic(JmsBroker broker, String topic, String subscription) {
    return of(broker, new From(checked("topic", topic), checked("subscription", subscription)));
  }

  private static JmsReceiver of(JmsBroker broker, From from) {
    return new JmsReceiver(
        Require.nonNull("broker", broker),
        from,
        new Limits(BATCH_DEFAULT, MessageLimits.PAYLOAD_BYTES_MAX / 4),
        ReceiverSettings.DEFAULT);
  }

  private static String checked(String what, String name) {
    boolean isName =
        !Require.nonNull(what, name).isEmpty()
            && name.length() <= NAME_CHARS_MAX
            && name.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (!isName) {
      throw invalid(
          "the name of a " + what + " must have 1 to 200 characters of ASCII without spaces");
    }
    return name;
  }

  /**
   * Returns a receiver that processes at most this number of messages in one transaction.
   *
   * @param count 1 to 10,000; the default is 100
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public JmsReceiver batchMax(int count) {
    if (count < 1 || count > BATCH_MAX) {
      throw invalid("batchMax must be 1 to 10,000, not " + count);
    }
    return with(new Limits(count, limits.payloadBytesMax()));
  }

  /**
   * Returns a receiver that receives no message with a larger payload.
   *
   * @param bytes 1 or more; the default is 16 MiB
   * @throws ConfigurationException {@code OUT-021} if it is below 1
   */
  public JmsReceiver payloadBytesMax(int bytes) {
    if (bytes < 1) {
      throw invalid("payloadBytesMax must be 1 or more but is " + bytes);
    }
    return with(new Limits(limits.batchMax(), bytes));
  }

  /**
   * Returns a receiver that passes unreadable messages, those that are not CloudEvents or are too
   * large, to a handler and then skips them. By default, and if the handler fails, such a message
   * blocks the queue.
   *
   * @param noting is given the payload; no bytes of one that is too large or neither bytes nor text
   */
  public JmsReceiver unreadable(UnreadableMessages noting) {
    return with(settings.withUnreadable(noting));
  }

  /**
   * Returns a receiver with a name of its own for the place that its messages come from. An inbox
   * takes place, source and id together for a message's identity. By default the place is the queue
   * or topic; name it where that is renamed, and what was received by the old name must not take
   * effect again.
   *
   * @param name 1 to 256 characters of ASCII without spaces; never to be changed
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public JmsReceiver origin(String name) {
    return with(settings.withOrigin(name));
  }

  private JmsReceiver with(Limits other) {
    return new JmsReceiver(broker, from, other, settings);
  }

  @Override
  protected JmsReceiver with(ReceiverSettings other) {
    return new JmsReceiver(broker, from, limits, other);
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    JmsDeliveries.Receiving receiving = new JmsDeliveries.Receiving(from, limits, settings);
    return QueueReceiver.start(
        settings.context(toString()),
        handler,
        window -> JmsDeliveries.open(broker, receiving, window));
  }

  /** Names the queue or subscription, and the broker. */
  @Override
  public String toString() {
    return from + " at " + broker;
  }
}
