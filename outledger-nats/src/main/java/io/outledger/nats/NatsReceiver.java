// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.Options;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.UnreadableMessages;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Receives from a stream of NATS JetStream through a durable pull consumer, and hands the messages
 * to a {@link BatchHandler}. A message is acknowledged only after it has taken effect; so after a
 * crash it comes again, and a handler with an inbox does nothing twice.
 *
 * <p>The consumer has one message on its way at a time, whatever the number of instances: so the
 * stream's order is kept, also when an instance dies. {@link #unordered} gives that up.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class NatsReceiver extends BrokerReceiver<NatsReceiver> {

  private static final String NAME = "[A-Za-z0-9_-]{1,200}";
  private static final Duration ACK_WAIT_DEFAULT = Duration.ofSeconds(30);
  private static final Duration ACK_WAIT_MIN = Duration.ofSeconds(1);
  private static final int AHEAD_MAX = 10_000;

  private final Options options;
  private final NatsConsumer consumer;

  private NatsReceiver(Options options, NatsConsumer consumer, ReceiverSettings settings) {
    super(settings);
    this.options = options;
    this.consumer = consumer;
  }

  /**
   * Makes a receiver. Nothing is opened.
   *
   * @param options of NATS's client: servers, TLS, credentials. The receiver itself sees to
   *     reconnecting; a listener of errors of yours is kept
   * @param stream the stream, which must exist when messages are to come
   * @param durable the durable consumer's name: all instances of one application have the same. It
   *     is created where it does not exist, and then starts with the oldest message
   * @throws ConfigurationException {@code OUT-021} if an argument is null, or a name is not 1 to
   *     200 letters, digits, underscores and dashes
   */
  public static NatsReceiver of(Options options, String stream, String durable) {
    Require.nonNull("options", options);
    checkName("stream", stream);
    checkName("durable consumer", durable);
    return new NatsReceiver(
        options,
        new NatsConsumer(stream, durable, null, 1, ACK_WAIT_DEFAULT),
        ReceiverSettings.DEFAULT);
  }

  /**
   * Returns a receiver of the stream's messages on some subjects alone.
   *
   * @param filter a subject, which may have wildcards; the default is all subjects of the stream
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public NatsReceiver subjects(String filter) {
    Require.nonNull("filter", filter);
    return with(filter, consumer.ahead(), consumer.ackWait());
  }

  /**
   * Returns a receiver that takes messages in larger steps, of at most 64 messages and 16 MiB, and
   * beside other instances. Messages then overtake others of their key where several instances
   * receive, and after a fault.
   *
   * @param ahead the most messages that all instances together have unacknowledged, 2 to 10,000
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public NatsReceiver unordered(int ahead) {
    if (ahead < 2 || ahead > AHEAD_MAX) {
      throw invalid("unordered takes 2 to 10,000 messages, not " + ahead);
    }
    return with(consumer.filter(), ahead, consumer.ackWait());
  }

  /**
   * Returns a receiver that creates its consumer with another time to acknowledge a message: when
   * an instance dies, the message that it had comes again after this time. A handler that takes
   * longer may be overtaken by another instance, with the same message.
   *
   * @param value 1 second or more; the default is 30 seconds. An existing consumer keeps its own
   * @throws ConfigurationException {@code OUT-021} if it is null or less
   */
  public NatsReceiver ackWait(Duration value) {
    if (Require.nonNull("ackWait", value).compareTo(ACK_WAIT_MIN) < 0) {
      throw invalid("ackWait must be 1 second or more, not " + value);
    }
    return with(consumer.filter(), consumer.ahead(), value);
  }

  private NatsReceiver with(@Nullable String filter, int ahead, Duration ackWait) {
    NatsConsumer other =
        new NatsConsumer(consumer.stream(), consumer.durable(), filter, ahead, ackWait);
    return new NatsReceiver(options, other, settings);
  }

  /**
   * Returns a receiver that passes unreadable messages, those that are not CloudEvents, to a
   * handler and then skips them. By default, and if the handler fails, such a message blocks the
   * consumer.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public NatsReceiver unreadable(UnreadableMessages noting) {
    return with(settings.withUnreadable(noting));
  }

  /**
   * Returns a receiver with a name of its own for the place that its messages come from. An inbox
   * takes place, source and id together for a message's identity, so that nobody who may publish to
   * one subject can impersonate a sender of another. By default the place is the subject.
   *
   * @param name 1 to 256 characters of ASCII without spaces; never to be changed
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public NatsReceiver origin(String name) {
    return with(settings.withOrigin(name));
  }

  @Override
  protected NatsReceiver with(ReceiverSettings other) {
    return new NatsReceiver(options, consumer, other);
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    NatsDeliveries.Unfinished unfinished = new NatsDeliveries.Unfinished();
    return QueueReceiver.start(
        settings.context("NATS consumer " + consumer),
        handler,
        window -> NatsDeliveries.open(options, consumer, settings, unfinished));
  }

  /** Names the stream, the consumer and the servers. */
  @Override
  public String toString() {
    return "NatsReceiver[" + consumer + " at " + NatsConnecting.servers(options) + "]";
  }

  // Data from configuration may well be null where its type says otherwise.
  private static void checkName(String what, @Nullable String name) {
    if (!Require.nonNull(what, name).matches(NAME)) {
      throw invalid(
          "the NATS receiver's "
              + what
              + " must be 1 to 200 letters, digits, underscores and dashes");
    }
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
