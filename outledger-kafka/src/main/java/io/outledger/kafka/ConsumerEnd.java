// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;

/** How consumers are closed, by clients from 3.9 on: {@code CloseOptions} came with 4.1. */
final class ConsumerEnd {

  private ConsumerEnd() {}

  @SuppressWarnings("deprecation") // of what took its place, older clients have nothing
  static void close(Consumer<?, ?> consumer, Duration timeout) {
    consumer.close(timeout);
  }
}
