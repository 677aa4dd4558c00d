// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.time.TimeSource;

/**
 * What is set in the same way for the receivers of all brokers. Immutable and thread-safe: each
 * method returns another receiver.
 *
 * @param <R> the receiver
 */
public abstract class BrokerReceiver<R extends BrokerReceiver<R>> {

  /** What was set so far. */
  protected final ReceiverSettings settings;

  /**
   * Makes one.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the settings are null
   */
  protected BrokerReceiver(ReceiverSettings settings) {
    this.settings = Require.nonNull("settings", settings);
  }

  /** Returns this receiver with other settings. */
  protected abstract R with(ReceiverSettings other);

  /**
   * Begins to receive; see {@link #start}.
   *
   * @param handler what makes messages take effect; not null
   * @return closed by its receiver
   */
  protected abstract OpenReceiver open(BatchHandler handler);

  /**
   * Receives on threads of its own, until paused or closed. A broker that is down, now or later, is
   * waited for, and so is a queue or an address that does not exist.
   *
   * @param handler what makes messages take effect. What fails is parked if it is an inbox's
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null, or this broker
   *     cannot be received from as it is set
   */
  public final RunningReceiver start(BatchHandler handler) {
    Require.nonNull("handler", handler);
    return new PausableReceiver(() -> open(handler));
  }

  /**
   * Returns a receiver with other retries, breaker and bound for what fails; see {@link
   * ReceiverOptions#DEFAULT}. Messages are parked only where the handler is an inbox's.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if they are null
   */
  public final R options(ReceiverOptions value) {
    return with(settings.withOptions(value));
  }

  /**
   * Returns a receiver that gives each message a transaction of its own; see {@link
   * ReceiverOptions#withTransactionPerMessage()}.
   */
  public final R transactionPerMessage() {
    return options(settings.options().withTransactionPerMessage());
  }

  /**
   * Returns a receiver that tells one more listener of what is parked, retried and discarded. Its
   * log remains.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public final R listener(ReceiverListener value) {
    return with(settings.withListener(value));
  }

  /**
   * Returns a receiver that passes deliveries that cannot be read, such as those that are no
   * CloudEvents, to a handler and then skips them, unless it was told what to do with them, or not
   * to park anything. Without either, such a delivery holds its stream.
   *
   * @param noting notes a delivery durably, such as {@link UnreadableMessages#parked}
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public final R unreadableByDefault(UnreadableMessages noting) {
    Require.nonNull("noting", noting);
    boolean isFree = settings.unreadable() == null && settings.options().parks();
    return with(isFree ? settings.withUnreadable(noting) : settings);
  }

  /**
   * Returns a receiver that parks deliveries that cannot be read, as {@link
   * UnreadableMessages#parked} does, where {@link #unreadableByDefault} would note them. They get
   * half of the room for parked messages ({@link ReceiverOptions#parkedMax}, as it is now): beyond
   * it such a delivery holds its stream, and a good message that fails still finds room.
   *
   * @param handler that of an inbox, which the receiver is started with
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the handler is not an inbox's
   */
  public final R unreadableParkedByDefault(BatchHandler handler) {
    int half = Math.max(1, settings.options().parkedMax() / 2);
    return unreadableByDefault(UnreadableMessages.parked(handler, half));
  }

  /**
   * Returns a receiver that takes the time from elsewhere: what it waits for after a failure is
   * measured by it. The default is {@link TimeSource#system()}.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public final R time(TimeSource value) {
    return with(settings.withTime(value));
  }
}
