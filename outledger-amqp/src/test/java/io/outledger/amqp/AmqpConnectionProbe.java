// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A line over which nothing is sent, and why it has ended. */
final class AmqpConnectionProbe implements AutoCloseable {

  private final AmqpConnection line;
  private volatile @Nullable String reason;

  private AmqpConnectionProbe(AmqpBroker broker) {
    line =
        AmqpConnection.open(broker, "probe", Duration.ofSeconds(10), (why, error) -> reason = why);
  }

  static AmqpConnectionProbe open(AmqpBroker broker) {
    return new AmqpConnectionProbe(broker);
  }

  @Nullable String reason() {
    return reason;
  }

  @Override
  public void close() {
    line.sever();
  }
}
