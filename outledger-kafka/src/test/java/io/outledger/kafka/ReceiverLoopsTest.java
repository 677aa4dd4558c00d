// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.receive.OpenReceiver;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import io.outledger.servers.Await;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.junit.jupiter.api.Test;

/** What becomes of the thread is told, so that a gauge and a health check can show it. */
final class ReceiverLoopsTest {

  private final SteppedReceiver stepped = new SteppedReceiver();
  private final List<ReceiverEvent> events = new CopyOnWriteArrayList<>();
  private final Receiver<RecordPlace> receiver =
      new Receiver<>(
          stepped::receive,
          new ReceiverContext(
              "group",
              ReceiverOptions.DEFAULT,
              events::add,
              new SettableClock(),
              new SplittableRandom(1)));

  private ReceiverLoop loop() {
    ReceiverLoop loop = stepped.loop(stepped::receive, "orders");
    loop.subscribe();
    return loop;
  }

  private OpenReceiver start(Supplier<ReceiverLoop> loops) {
    return ReceiverLoops.start("group", receiver, loops);
  }

  private void awaitEvent(Class<? extends ReceiverEvent> kind) {
    Await.until(
        () -> events + " has none of " + kind,
        Duration.ofSeconds(30),
        () -> events.stream().anyMatch(kind::isInstance));
  }

  @Test
  void oneWhosePlaceAnotherMemberHasTellsThatItHasEndedAndThenThatItIsClosed() {
    stepped.consumer.setPollException(new FencedInstanceIdException("planted"));
    OpenReceiver running = start(this::loop);
    awaitEvent(ReceiverEvent.Ended.class);
    assertThat(running.failure()).isInstanceOf(FencedInstanceIdException.class);
    running.close();
    running.close();
    assertThat(events)
        .extracting(Object::getClass)
        .extracting(Class::getSimpleName)
        .containsExactly("Ended", "Closed");
  }

  @Test
  void oneWhoseConsumerHasFailedCannotReceiveUntilAnotherOneDoes() {
    stepped.consumer.schedulePollTask(
        () -> {
          throw new IllegalStateException("planted");
        });
    OpenReceiver running = start(this::loop);
    awaitEvent(ReceiverEvent.CannotReceive.class);
    running.close();
    assertThat(events).first().asString().contains("planted");
  }
}
