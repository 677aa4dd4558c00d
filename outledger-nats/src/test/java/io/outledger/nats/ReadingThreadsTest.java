// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ReadingThreadsTest {

  private final AtomicInteger told = new AtomicInteger();

  private int toldAfter(Callable<?> reader, boolean isCancelled) throws Exception {
    ReadingThreads threads = new ReadingThreads(told::incrementAndGet);
    Future<?> reading = threads.submit(reader);
    if (isCancelled) {
      assertThat(reading.cancel(true)).isTrue();
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    return told.get();
  }

  @Test
  void tellOfReadersThatEndByAnExceptionOrAnError() throws Exception {
    int first =
        toldAfter(
            () -> {
              throw new IllegalArgumentException("headers");
            },
            false);
    assertThat(first).isEqualTo(1);
    int second =
        toldAfter(
            () -> {
              throw new StackOverflowError();
            },
            false);
    assertThat(second).isEqualTo(2);
  }

  @Test
  void tellOfNoneThatEndsAsItShouldOrIsCancelled() throws Exception {
    assertThat(toldAfter(() -> true, false)).isZero();
    CountDownLatch never = new CountDownLatch(1);
    int cancelled =
        toldAfter(
            () -> {
              never.await();
              return true;
            },
            true);
    assertThat(cancelled).isZero();
  }
}
