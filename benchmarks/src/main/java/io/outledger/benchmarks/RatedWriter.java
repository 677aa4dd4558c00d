// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Commits messages at a rate, one a transaction, each at any moment of its share of a second. The
 * payload begins with the message's number. Used by one thread.
 */
final class RatedWriter {

  private static final int THREADS = 4;
  private static final long SECOND_MICROS = 1_000_000;
  private static final long SEED = 1;

  private final Outledger outledger;
  private final int rate;
  private final SplittableRandom moments = new SplittableRandom(SEED);

  RatedWriter(Outledger outledger, int rate) {
    this.outledger = outledger;
    this.rate = rate;
  }

  /** Writes messages with the numbers 0 to below the count; returns when each was committed. */
  List<Long> write(int count) throws InterruptedException {
    ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
    long period = SECOND_MICROS / rate;
    try {
      List<ScheduledFuture<Long>> writes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        long due = number * period + moments.nextLong(Math.max(1, period));
        writes.add(threads.schedule(() -> commit(number), due, TimeUnit.MICROSECONDS));
      }
      List<Long> micros = new ArrayList<>();
      for (ScheduledFuture<Long> each : writes) {
        micros.add(each.get());
      }
      return micros;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a message could not be committed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Commits one message with a number, and returns when its commit had returned. */
  long commit(int number) {
    byte[] payload = new byte[WaitingLedger.PAYLOAD_BYTES];
    ByteBuffer.wrap(payload).putInt(number);
    Message message =
        Message.to("orders", "order.placed")
            .key(WaitingLedger.key(Math.abs(number)))
            .payload(payload)
            .build();
    outledger.transactions().run(connection -> outledger.outbox().append(connection, message));
    return SharedClock.micros();
  }
}
