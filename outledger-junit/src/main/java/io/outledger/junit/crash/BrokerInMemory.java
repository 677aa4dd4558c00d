// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.Set;

/** Publishes to a broker that keeps everything in one order and acknowledges at once. */
record BrokerInMemory(Outside outside) implements Publisher {

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new Client(outside, outcomes);
  }

  private record Client(Outside outside, Outcomes outcomes) implements PublisherClient {

    @Override
    public void publish(long position, int attempt, Message message) {
      outside.store(message);
      outcomes.report(position, Outcome.PUBLISHED);
    }

    @Override
    public void flush() {
      // Everything was stored as it came.
    }

    @Override
    public Set<Long> recall() {
      return Set.of();
    }

    @Override
    public void close() {
      // Everything has its outcome.
    }
  }
}
