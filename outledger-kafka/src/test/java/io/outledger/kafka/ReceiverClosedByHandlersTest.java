// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.kafka.SteppedReceiver.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.receive.OpenReceiver;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverListener;
import io.outledger.receive.ReceiverOptions;
import io.outledger.testing.InMemoryReceiverStore;
import io.outledger.time.TimeSource;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler closes its own receiver, on the receiver's thread or on that of its retries. */
@Timeout(60)
final class ReceiverClosedByHandlersTest {

  private static final long PATIENCE_MILLIS = 10_000;

  private final CompletableFuture<OpenReceiver> running = new CompletableFuture<>();
  private final CompletableFuture<Thread> closing = new CompletableFuture<>();
  private final CountDownLatch returned = new CountDownLatch(1);
  private volatile int failures;
  private final InMemoryReceiverStore store =
      new InMemoryReceiverStore(
          "stock", TimeSource.system(), (message, attempt) -> failOrClose(attempt));

  private void failOrClose(int attempt) throws Exception {
    if (attempt <= failures) {
      throw new IllegalStateException("fails on purpose");
    }
    closing.complete(Thread.currentThread());
    running.get().close();
    returned.countDown();
  }

  @Test
  void receiverEndsAfterTheRecordWhoseHandlerClosesIt() throws Exception {
    SteppedReceiver stepped = start();
    assertEnds("outledger-receiver group");
    assertThat(stepped.committed(ZERO)).isEqualTo(1);
  }

  @Test
  void receiverEndsAfterTheRetryWhoseHandlerClosesIt() throws Exception {
    failures = 1;
    SteppedReceiver stepped = start();
    assertEnds("outledger-parked stock");
    assertThat(stepped.committed(ZERO)).isEqualTo(1);
  }

  private void assertEnds(String thread) throws Exception {
    assertThat(returned.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    assertThat(closing.get().getName()).isEqualTo(thread);
    OpenReceiver receiver = running.get();
    Thread another = new Thread(receiver::close);
    another.start();
    another.join(PATIENCE_MILLIS);
    assertThat(another.isAlive()).isFalse();
    assertThat(receiver.isRunning()).isFalse();
    assertThat(receiver.failure()).isNull();
    assertThat(store.handled()).hasSize(1);
  }

  private SteppedReceiver start() {
    SteppedReceiver stepped = new SteppedReceiver();
    ReceiverLoop loop = stepped.loop(store.handler(), "orders");
    loop.subscribe();
    stepped.assign(ZERO);
    stepped.add(ZERO, 0, 0);
    ReceiverContext context =
        new ReceiverContext(
            "group",
            ReceiverOptions.DEFAULT,
            ReceiverListener.NONE,
            TimeSource.system(),
            new SplittableRandom(1));
    running.complete(
        ReceiverLoops.start("group", new Receiver<>(store.handler(), context), () -> loop));
    return stepped;
  }
}
