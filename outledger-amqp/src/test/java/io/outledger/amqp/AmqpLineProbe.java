// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A line over which nothing is sent, and why it has ended. */
final class AmqpLineProbe implements AutoCloseable {

  private final AmqpLine line;
  private volatile @Nullable String reason;

  private AmqpLineProbe(AmqpBroker broker) {
    line = AmqpLine.open(broker, "probe", Duration.ofSeconds(10), (why, error) -> reason = why);
  }

  static AmqpLineProbe open(AmqpBroker broker) {
    return new AmqpLineProbe(broker);
  }

  @Nullable String reason() {
    return reason;
  }

  @Override
  public void close() {
    line.sever();
  }
}
