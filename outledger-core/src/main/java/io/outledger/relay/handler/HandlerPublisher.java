// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.handler;

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

/**
 * Publishes to a handler inside the application, on the threads of an executor. Messages of one key
 * are handled one at a time and in order, those of different keys side by side.
 */
public final class HandlerPublisher implements Publisher {

  private final String name;
  private final PositionedHandler handler;
  private final Executor executor;
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
    this.name = Require.nonNull("name", name);
    this.handler = Require.nonNull("handler", handler);
    this.executor = Require.nonNull("executor", executor);
    String subject = name.isEmpty() ? "handler" : "handler " + name;
    this.log = new QuietLog(HandlerCall.class, subject, TimeSource.system());
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new BlockingClient(executor, new HandlerCall(name, handler, log), outcomes);
  }
}
