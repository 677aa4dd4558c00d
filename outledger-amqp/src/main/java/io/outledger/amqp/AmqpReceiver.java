// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

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
import io.outledger.receive.Window;
import org.jspecify.annotations.Nullable;

/**
 * Receives the CloudEvents of one address of an AMQP 1.0 broker and hands them to a {@link
 * BatchHandler}, in the address's order. A delivery is accepted only after it has taken effect, or
 * is parked; so after a crash messages come again, and a handler with an inbox does nothing twice.
 *
 * <p>A message that fails is parked where the handler is an inbox's: it holds its key, and is
 * retried. With other handlers, and where it cannot be parked, it holds the address: it waits in
 * this process, in its place, until it succeeds. Nothing is released while the receiver runs, since
 * that would change the order.
 *
 * <p>Several receivers of one address keep the order of keys where the broker keeps groups together
 * and the publisher sets them, as {@link AmqpPublisher#groupByKey(int)} does.
 *
 * <p>Immutable and thread-safe; each setter returns a copy, and each start is a link of its own.
 */
public final class AmqpReceiver extends BrokerReceiver<AmqpReceiver> {

  private static final int WINDOW_DEFAULT = 200;
  private static final int WINDOW_MAX = 10_000;
  private static final int ADDRESS_CHARS_MAX = 200;

  private final AmqpBroker broker;
  private final Choices choices;

  /**
   * How messages are received.
   *
   * @param capability what kind of node the address is; null where the broker knows
   */
  record Choices(
      String address,
      @Nullable String capability,
      Limits limits,
      Unreadable unreadable,
      ReceiverSettings settings) {

    Choices with(Window window) {
      return window == Window.FULL
          ? this
          : new Choices(
              address, capability, new Limits(1, limits.messageBytesMax()), unreadable, settings);
    }
  }

  /**
   * How much may come.
   *
   * @param window the most deliveries that are not settled
   * @param messageBytesMax the most bytes of a message
   */
  record Limits(int window, int messageBytesMax) {}

  /** What the broker is told of a message that cannot be received. */
  enum Unreadable {
    /** Accepted, once the settings' handler has noted it. */
    NOTED,
    /** Rejected, so that the broker treats it as a dead letter. */
    REJECTED,
    /** Failed, and not to be delivered here again. */
    PASSED_ON
  }

  private AmqpReceiver(AmqpBroker broker, Choices choices) {
    super(choices.settings());
    this.broker = broker;
    this.choices = choices;
  }

  /**
   * Makes a receiver of an address: a queue, or what the broker calls a subscription.
   *
   * @param address the broker's name for it. It is part of each message's identity in an inbox, so
   *     that nobody who may write to one address can pass for a sender of another
   * @throws ConfigurationException {@code OUT-021} if it does not have 1 to 200 characters of ASCII
   *     without spaces
   */
  public static AmqpReceiver from(AmqpBroker broker, String address) {
    Require.nonNull("broker", broker);
    boolean isName =
        !Require.nonNull("address", address).isEmpty()
            && address.length() <= ADDRESS_CHARS_MAX
            && address.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (!isName) {
      throw invalid("an AMQP address must have 1 to 200 characters of ASCII without spaces");
    }
    Limits limits = new Limits(WINDOW_DEFAULT, MessageLimits.PAYLOAD_BYTES_MAX / 4);
    return new AmqpReceiver(
        broker, new Choices(address, null, limits, Unreadable.NOTED, ReceiverSettings.DEFAULT));
  }

  /**
   * Returns a receiver that says what kind of node the address is. A broker that makes nodes when
   * they are first used, such as Artemis, has to know.
   *
   * @param kind a capability of a source, such as {@code queue} or {@code topic}; none by default
   */
  public AmqpReceiver capability(String kind) {
    Require.nonNull("kind", kind);
    return with(
        new Choices(
            choices.address(), kind, choices.limits(), choices.unreadable(), choices.settings()));
  }

  /**
   * Returns a receiver with a credit: the broker delivers at most this number of messages before
   * they are settled. They wait in memory, and are processed in batches of at most this size.
   *
   * @param deliveries 1 to 10,000; the default is 200
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public AmqpReceiver window(int deliveries) {
    if (deliveries < 1 || deliveries > WINDOW_MAX) {
      throw invalid("window must be 1 to 10,000, not " + deliveries);
    }
    return with(new Limits(deliveries, choices.limits().messageBytesMax()));
  }

  /**
   * Returns a receiver that tells the broker, and sees to it, that it takes no larger messages. A
   * larger one is unreadable.
   *
   * @param bytes of a message with its properties, 1 or more; the default is 16 MiB
   * @throws ConfigurationException {@code OUT-021} if it is below 1
   */
  public AmqpReceiver messageBytesMax(int bytes) {
    if (bytes < 1) {
      throw invalid("messageBytesMax must be 1 or more but is " + bytes);
    }
    return with(new Limits(choices.limits().window(), bytes));
  }

  private AmqpReceiver with(Limits other) {
    return with(
        new Choices(
            choices.address(),
            choices.capability(),
            other,
            choices.unreadable(),
            choices.settings()));
  }

  /**
   * Returns a receiver that passes unreadable messages, those that are not CloudEvents, to a
   * handler and then accepts them. By default, and if the handler fails, such a message blocks the
   * address.
   */
  public AmqpReceiver unreadable(UnreadableMessages noting) {
    return with(Unreadable.NOTED).with(choices.settings().withUnreadable(noting));
  }

  /**
   * Returns a receiver that rejects unreadable messages, those that are not CloudEvents, with the
   * reason: the broker treats them as dead letters, which may mean that it drops them.
   */
  public AmqpReceiver rejectUnreadable() {
    return with(Unreadable.REJECTED);
  }

  /**
   * Returns a receiver that gives unreadable messages, those that are not CloudEvents, back to the
   * broker as failed and not to be delivered here again: it may have another consumer for them.
   */
  public AmqpReceiver passUnreadableOn() {
    return with(Unreadable.PASSED_ON);
  }

  private AmqpReceiver with(Unreadable other) {
    return with(
        new Choices(
            choices.address(), choices.capability(), choices.limits(), other, choices.settings()));
  }

  /**
   * Returns a receiver with a name of its own for the place that its messages come from. An inbox
   * takes place, source and id together for a message's identity. By default the place is the
   * address.
   *
   * @param name 1 to 256 characters of ASCII without spaces; never to be changed
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public AmqpReceiver origin(String name) {
    return with(choices.settings().withOrigin(name));
  }

  @Override
  protected AmqpReceiver with(ReceiverSettings other) {
    return with(
        new Choices(
            choices.address(),
            choices.capability(),
            choices.limits(),
            choices.unreadable(),
            other));
  }

  private AmqpReceiver with(Choices other) {
    return new AmqpReceiver(broker, other);
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    return QueueReceiver.start(
        choices.settings().context(toString()),
        handler,
        window -> AmqpDeliveries.open(broker, choices.with(window)));
  }

  /** Names the address and the broker, without credentials. */
  @Override
  public String toString() {
    return "AMQP address " + choices.address() + " at " + broker;
  }
}
