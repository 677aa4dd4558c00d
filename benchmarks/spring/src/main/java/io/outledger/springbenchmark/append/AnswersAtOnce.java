// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark.append;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.Set;
import org.springframework.stereotype.Component;

/** A destination that costs nothing, so that what is measured is the relay alone. */
@Component("nowhere")
class AnswersAtOnce implements Publisher {

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new PublisherClient() {
      @Override
      public void publish(long position, int attempt, Message message) {
        outcomes.report(position, Outcome.PUBLISHED);
      }

      @Override
      public void flush() {}

      @Override
      public Set<Long> recall() {
        return Set.of();
      }

      @Override
      public void close() {}
    };
  }
}
