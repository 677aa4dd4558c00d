// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.junit.jupiter.api.Test;

class AmqpLinksIT {

  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void moreAddressesThanTheClientKeepsLinksToAreServed() throws Exception {
    AtomicInteger open = new AtomicInteger();
    ScriptedBroker.Script counting =
        new ScriptedBroker.Script() {
          @Override
          public void attach(Receiver link) {
            open.incrementAndGet();
            link.closeHandler(
                closed -> {
                  open.decrementAndGet();
                  closed.close();
                });
            ScriptedBroker.open(link, ScriptedBroker.MUCH);
          }

          @Override
          public void deliver(IncomingDelivery delivery) {
            assertThat(open.get()).isLessThanOrEqualTo(101);
            delivery.disposition(Accepted.getInstance(), true);
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(counting);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), LONG)) {
      for (int i = 0; i < 250; i++) {
        Message message = Message.to("t" + i, "order.placed").build();
        assertThat(sender.sendAll(List.of(message))).containsExactly(Outcome.PUBLISHED);
      }
    }
  }
}
