// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;

/** Acknowledges every message at once, so that what is measured is the relay alone. */
final class NoOpPublisher implements Publisher {

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new PublisherClient() {
      @Override
      public void publish(long position, Message message) {
        outcomes.report(position, Outcome.PUBLISHED);
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
