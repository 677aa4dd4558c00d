// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.handler;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.log.QuietLog;
import io.outledger.publish.BlockingClient;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * Publishes to a handler inside the application, on the threads of an executor. Messages of one key
 * are handled one at a time and in order, those of different keys side by side.
 */
public final class HandlerPublisher implements Publisher {

  private final String name;
  private final PositionedHandler handler;
  private final Executor executor;
  private final int threads;
  private final QuietLog log;

  /**
   * Makes it with a handler that has no name and is not told positions.
   *
   * @param handler what handles the messages
   * @param executor runs the handler; it is not closed by this
   */
  public HandlerPublisher(MessageHandler handler, Executor executor) {
    this("", handler, executor);
  }

  /**
   * Makes it with a handler that is told positions.
   *
   * @param name the handler's, for the log
   * @param handler what handles the messages
   * @param executor runs the handler; it is not closed by this
   */
  public HandlerPublisher(String name, PositionedHandler handler, Executor executor) {
    this(name, handler, executor, Integer.MAX_VALUE);
  }

  /**
   * Makes it with a handler that is told positions, on a known number of threads.
   *
   * @param name the handler's, for the log
   * @param handler what handles the messages
   * @param executor runs the handler; it is not closed by this
   * @param threads how many threads that executor has, 1 or more; partitions share them
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null, or the number
   *     is below 1
   */
  public HandlerPublisher(String name, PositionedHandler handler, Executor executor, int threads) {
    this(
        Require.nonNull("name", name),
        Require.nonNull("handler", handler),
        executor,
        threads,
        new QuietLog(
            HandlerCall.class,
            name.isEmpty() ? "handler" : "handler " + name,
            TimeSource.system()));
  }

  private HandlerPublisher(
      String name, PositionedHandler handler, Executor executor, int threads, QuietLog log) {
    this.name = name;
    this.handler = handler;
    this.executor = Require.nonNull("executor", executor);
    this.threads = threads;
    if (threads < 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "handler " + name + " has " + threads + " threads, but must have 1 or more");
    }
    this.log = log;
  }

  /** Returns how many threads its executor has; {@link Integer#MAX_VALUE} where nobody said so. */
  public int threads() {
    return threads;
  }

  /**
   * Returns a copy that runs the handler on other threads, such as a part of these for one of
   * several partitions.
   *
   * @param others makes them of those of this one; they are not closed by the copy
   */
  public HandlerPublisher on(UnaryOperator<Executor> others) {
    Executor made = Require.nonNull("others", others).apply(executor);
    return new HandlerPublisher(name, handler, made, threads, log);
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    HandlerCall call = new HandlerCall(name, handler, outcomes, log);
    return new BlockingClient(executor, call, outcomes);
  }

  /** Names the handler, for people. */
  @Override
  public String toString() {
    return name.isEmpty() ? "a handler" : "the handler " + name;
  }
}
