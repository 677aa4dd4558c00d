// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.time.TimeSource;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler closes its own receiver, on the receiver's thread, the retries' thread, or on both. */
@Timeout(60)
class ClosedByHandlersTest {

  private static final long PATIENCE_MILLIS = 10_000;

  private final ScriptedQueue queue = new ScriptedQueue();
  private final ScriptedStore store = new ScriptedStore();
  private final CompletableFuture<OpenReceiver> running = new CompletableFuture<>();

  @Test
  void receiverEndsAfterTheMessageWhoseHandlerClosesIt() throws Exception {
    CountDownLatch returned = closing(1);
    queue.add("a1");
    start();
    assertThat(returned.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    assertRetriesEnd();
    assertAnotherCloseReturns();
    assertThat(queue.isDone()).isTrue();
  }

  @Test
  void receiverEndsAfterTheRetryWhoseHandlerClosesIt() throws Exception {
    CountDownLatch returned = closing(1);
    store.isDue(ParkedReceived.of(ScriptedQueue.read("a1")));
    start();
    assertThat(returned.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    assertRetriesEnd();
    assertAnotherCloseReturns();
  }

  @Test
  void receiverEndsThatAMessageAndARetryCloseAtTheSameTime() throws Exception {
    CountDownLatch returned = closing(2);
    store.isDue(ParkedReceived.of(ScriptedQueue.read("a1")));
    queue.add("b1");
    start();
    assertThat(returned.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    assertRetriesEnd();
    assertAnotherCloseReturns();
    assertThat(queue.isDone()).isTrue();
  }

  /** Has handlers close the receiver, once as many of them run as given. */
  private CountDownLatch closing(int handlers) {
    CountDownLatch returned = new CountDownLatch(handlers);
    CyclicBarrier together = new CyclicBarrier(handlers);
    store.before =
        () -> {
          try {
            OpenReceiver receiver = running.get();
            store.retrying.get(); // else they may end before they have begun
            together.await();
            receiver.close();
            returned.countDown();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        };
    return returned;
  }

  private void assertRetriesEnd() throws Exception {
    Thread retrying = store.retrying.get();
    retrying.join(PATIENCE_MILLIS);
    assertThat(retrying.isAlive()).isFalse();
  }

  private void assertAnotherCloseReturns() throws Exception {
    OpenReceiver receiver = running.get();
    Thread another = new Thread(receiver::close);
    another.start();
    another.join(PATIENCE_MILLIS);
    assertThat(another.isAlive()).isFalse();
    assertThat(receiver.isRunning()).isFalse();
  }

  private void start() {
    running.complete(
        QueueReceiver.start(
            new ReceiverContext(
                "queue",
                ReceiverOptions.DEFAULT,
                ReceiverListener.NONE,
                TimeSource.system(),
                new SplittableRandom(1)),
            store,
            window -> queue.open()));
  }
}
