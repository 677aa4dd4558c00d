// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.OutgoingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.junit.jupiter.api.Test;

class AmqpLinksIT {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(3);

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

  /** Each takes credit, and is acknowledged by nobody. */
  @Test
  void receiverGoesOnAfterMoreAbortedDeliveriesThanItHasCreditFor() throws Exception {
    List<Received> received = new CopyOnWriteArrayList<>();
    try (ScriptedBroker broker = new ScriptedBroker(new Aborting())) {
      RunningReceiver running =
          AmqpReceiver.from(broker.broker(), "orders").window(2).start(received::addAll);
      Await.until("the whole one", LONG, () -> !received.isEmpty());
      running.close();
    }
    assertThat(received).extracting(Received::type).containsExactly("order.placed");
  }

  /** Aborts five deliveries, sends one whole, and then no more. */
  private static final class Aborting implements ScriptedBroker.Script {
    private static final int ABORTED = 5;

    private final byte[] whole = whole();
    private int count;

    private static byte[] whole() {
      AmqpPublisher publisher = AmqpPublisher.to(AmqpBroker.at("localhost", 5672));
      ProtonBuffer written = new AmqpBinding(publisher.choices()).write(7, "orders", to("orders"));
      byte[] bytes = new byte[written.getReadableBytes()];
      written.readBytes(bytes, 0, bytes.length);
      return bytes;
    }

    @Override
    public void feed(org.apache.qpid.protonj2.engine.Sender link) {
      link.setSource(link.getRemoteSource())
          .setTarget(link.<Target>getRemoteTarget())
          .creditStateUpdateHandler(this::send)
          .closeHandler(closed -> closed.close())
          .open();
    }

    private void send(org.apache.qpid.protonj2.engine.Sender link) {
      // As other brokers do; this library takes none of the credit for what it aborts.
      while (count < link.getCredit() && count <= ABORTED) {
        OutgoingDelivery next = link.next().setTag(new byte[] {(byte) count});
        if (count++ < ABORTED) {
          next.streamBytes(ProtonByteArrayBufferAllocator.wrapped(new byte[] {0, 'S'}));
          next.abort();
        } else {
          next.writeBytes(ProtonByteArrayBufferAllocator.wrapped(whole));
        }
      }
    }

    @Override
    public void deliver(IncomingDelivery delivery) {
      throw new UnsupportedOperationException("nobody sends");
    }
  }

  @Test
  void addressThatSettlesNothingHoldsItselfAndNoOthers() throws Exception {
    ScriptedBroker.Script silent =
        delivery -> {
          Target target = delivery.getLink().<Target>getTarget();
          if (!target.getAddress().equals("silent")) {
            delivery.disposition(Accepted.getInstance(), true);
          }
        };
    try (ScriptedBroker broker = new ScriptedBroker(silent);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), SHORT)) {
      List<Outcome> together = sender.sendAll(List.of(to("silent"), to("answers")));
      assertThat(together.get(0)).isInstanceOf(Outcome.Unavailable.class);
      assertThat(together.get(1)).isEqualTo(Outcome.PUBLISHED);
    }
    try (ScriptedBroker broker = new ScriptedBroker(silent);
        Sender sender = new Sender(AmqpPublisher.to(broker.broker()), SHORT)) {
      assertThat(sender.sendAll(List.of(to("silent")))).allMatch(AmqpLinksIT::isUnanswered);
    }
  }

  private static Message to(String topic) {
    return Message.to(topic, "order.placed").build();
  }

  private static boolean isUnanswered(Outcome outcome) {
    return outcome instanceof Outcome.Unavailable away
        && away.kind() == Outcome.Unavailable.Kind.UNANSWERED;
  }
}
