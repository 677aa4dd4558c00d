// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.UnreadableMessages;

/**
 * Receives the CloudEvents of one queue and hands them to a {@link BatchHandler}, in the queue's
 * order. A delivery is acknowledged only after it has taken effect, or is parked; so after a crash
 * messages come again, and a handler with an inbox does nothing twice.
 *
 * <p>A message that fails is parked where the handler is an inbox's: it holds its key, and is
 * retried. With other handlers, and where it cannot be parked, it holds the queue: it waits in this
 * process, in its place, until it succeeds. Nothing is requeued, since that would change the order.
 *
 * <p>Several receivers of one queue keep the order of keys if the queue has the argument {@code
 * x-single-active-consumer}: then one receives and the others stand by. Without it they share the
 * deliveries, and two messages of one key may be handled at the same time.
 *
 * <p>Immutable and thread-safe; each start is a consumer of its own.
 */
public final class RabbitReceiver extends BrokerReceiver<RabbitReceiver> {

  private static final int PREFETCH = 200;
  private static final int PREFETCH_MAX = 65_535;

  private final RabbitBroker broker;
  private final String queue;
  private final int prefetch;

  private RabbitReceiver(
      RabbitBroker broker, String queue, int prefetch, ReceiverSettings settings) {
    super(settings);
    this.broker = broker;
    this.queue = queue;
    this.prefetch = prefetch;
  }

  /**
   * Makes a receiver of a queue, which must exist: receiving declares nothing.
   *
   * @param queue its name, 1 to 255 bytes. It is part of each message's identity in an inbox, so
   *     that nobody who may write to one queue can pass for a sender of another
   * @throws ConfigurationException {@code OUT-021} if the name is empty, too long or not ASCII
   */
  public static RabbitReceiver from(RabbitBroker broker, String queue) {
    Require.nonNull("broker", broker);
    boolean isName =
        !Require.nonNull("queue", queue).isEmpty()
            && queue.length() <= RabbitRoute.SHORT_BYTES_MAX
            && queue.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (!isName) {
      throw invalid("a queue's name must have 1 to 255 characters of ASCII without spaces");
    }
    return new RabbitReceiver(broker, queue, PREFETCH, ReceiverSettings.DEFAULT);
  }

  /**
   * Returns a receiver to which the broker delivers at most this number of messages before they are
   * acknowledged. They wait in memory, those of 16 MiB together at most and one that goes beyond
   * them, and are processed in batches of at most this size.
   *
   * @param count 1 to 65,535; the default is 200
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public RabbitReceiver prefetch(int count) {
    if (count < 1 || count > PREFETCH_MAX) {
      throw invalid("prefetch must be 1 to 65,535, not " + count);
    }
    return new RabbitReceiver(broker, queue, count, settings);
  }

  /**
   * Returns a receiver that passes unreadable messages, those that are not CloudEvents, to a
   * handler and then skips them. By default, and if the handler fails, such a message blocks the
   * queue.
   */
  public RabbitReceiver unreadable(UnreadableMessages noting) {
    return with(settings.withUnreadable(noting));
  }

  /**
   * Returns a receiver with a name of its own for the place that its messages come from. An inbox
   * takes place, source and id together for a message's identity. By default the place is the
   * queue; name it where a queue is renamed, and what was received by the old name must not take
   * effect again.
   *
   * @param name 1 to 256 characters of ASCII without spaces; never to be changed
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public RabbitReceiver origin(String name) {
    return with(settings.withOrigin(name));
  }

  @Override
  protected RabbitReceiver with(ReceiverSettings other) {
    return new RabbitReceiver(broker, queue, prefetch, other);
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    Prefetch ahead = new Prefetch(prefetch);
    return QueueReceiver.start(
        settings.context(toString()),
        handler,
        window -> RabbitDeliveries.open(broker, queue, ahead, window, settings));
  }

  /** Names the queue and the broker's nodes, without user and password. */
  @Override
  public String toString() {
    return "queue " + queue + " at RabbitMQ " + broker;
  }
}
