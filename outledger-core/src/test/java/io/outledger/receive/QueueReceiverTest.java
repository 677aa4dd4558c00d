// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueReceiverTest {

  private final ScriptedQueue queue = new ScriptedQueue();
  private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

  @Test
  void aBrokerThatIsAwayAtTheStartIsWaitedFor() throws Exception {
    queue.failOnce(new IOException("connection refused"));
    queue.add("a1");

    try (OpenReceiver running = start(this::handle)) {
      assertThat(next()).isEqualTo("a1");
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(queue.isDone()).isTrue();
  }

  /** Whoever shows that it is away would show it for ever, since the next one begins anew. */
  @Test
  void oneThatIsClosedTellsItOnceAlsoWhereItsBrokerIsAway() throws Exception {
    List<ReceiverEvent> events = new CopyOnWriteArrayList<>();
    CountDownLatch missed = new CountDownLatch(1);
    OpenReceiver running =
        QueueReceiver.start(
            context(
                event -> {
                  events.add(event);
                  missed.countDown();
                }),
            this::handle,
            window -> {
              throw new IOException("connection refused");
            });
    missed.await();
    running.close();
    running.close();
    assertThat(events.get(0)).isInstanceOf(ReceiverEvent.CannotReceive.class);
    assertThat(events).filteredOn(ReceiverEvent.Closed.class::isInstance).hasSize(1);
    assertThat(events).last().isInstanceOf(ReceiverEvent.Closed.class);
  }

  @Test
  void anInstanceThatStandsByIsNoFailureAndReceivesInItsTurn() throws Exception {
    queue.failOnce(new StandByException("another one has the session"));
    queue.add("a1");

    try (OpenReceiver running = start(this::handle)) {
      assertThat(next()).isEqualTo("a1");
      assertThat(running.failure()).isNull();
    }
    assertThat(queue.isDone()).isTrue();
  }

  @Test
  void aConsumerThatFailsIsReplacedAndNothingIsLost() throws Exception {
    try (OpenReceiver running = start(this::handle)) {
      queue.add("a1");
      assertThat(next()).isEqualTo("a1");
      queue.failOnce(new IOException("connection reset"));
      queue.add("a2");

      String again = next(); // a1, if its acknowledgement was what failed
      assertThat("a1".equals(again) ? next() : again).isEqualTo("a2");
      assertThat(running.failure()).isNull();
    }
    assertThat(queue.opened()).isEqualTo(2);
    assertThat(queue.isDone()).isTrue();
  }

  @Test
  void anErrorAndAnInterruptOfAHandlerEndNothing() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    BatchHandler handler =
        batch -> {
          handle(batch);
          if (calls.incrementAndGet() == 1) {
            Thread.currentThread().interrupt();
            throw new AssertionError("thrown on purpose");
          }
        };
    queue.add("a1");

    try (OpenReceiver running = start(handler)) {
      assertThat(next()).isEqualTo("a1");
      assertThat(next()).isEqualTo("a1");
      assertThat(running.failure()).isNull();
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(queue.isDone()).isTrue();
  }

  @Test
  void whatWasNotHandledWhenItClosedIsDeliveredAgain() throws Exception {
    queue.add("a1");
    try (OpenReceiver failing = start(this::fail)) {
      assertThat(next()).isEqualTo("a1");
      assertThat(failing.isRunning()).isTrue();
    }

    handled.clear();
    try (OpenReceiver running = start(this::handle)) {
      assertThat(next()).isEqualTo("a1");
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(queue.isDone()).isTrue();
  }

  private void fail(List<Received> batch) {
    handle(batch);
    throw new IllegalStateException("fails on purpose");
  }

  private void handle(List<Received> batch) {
    batch.forEach(message -> handled.add(message.id()));
  }

  private @Nullable String next() throws InterruptedException {
    return handled.poll(30, TimeUnit.SECONDS);
  }

  private OpenReceiver start(BatchHandler handler) {
    return QueueReceiver.start(context(ReceiverListener.NONE), handler, window -> queue.open());
  }

  private static ReceiverContext context(ReceiverListener listener) {
    return new ReceiverContext(
        "queue", ReceiverOptions.DEFAULT, listener, TimeSource.system(), new SplittableRandom(1));
  }
}
