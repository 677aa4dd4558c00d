// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThatNoException;

import io.outledger.jdbc.sharing.PartitionShare;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShareLooksTest {

  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final int RELAYS = 4;
  private static final int ROUNDS = 2_000;

  private static final StatusStore NOBODY =
      new StatusStore() {
        @Override
        public void write(List<Entry> entries) {}

        @Override
        public Map<String, Instant> seen(CursorKey key) {
          return Map.of();
        }
      };

  private static ShareLooks looks() {
    PartitionShare share =
        new PartitionShare(
            CursorKey.of("invoices"),
            RELAYS,
            LEASE,
            new PartitionShare.Place(NOBODY, "one"),
            TimeSource.system());
    return new ShareLooks(share, LEASE);
  }

  @Test
  void relaysThatEndAtTheSameTimeMayAllCloseIt() {
    ExecutorService threads = Executors.newFixedThreadPool(RELAYS);
    for (int round = 0; round < ROUNDS; round++) {
      ShareLooks looks = looks();
      CyclicBarrier together = new CyclicBarrier(RELAYS);
      CompletableFuture<?>[] closing =
          IntStream.range(0, RELAYS)
              .mapToObj(relay -> CompletableFuture.runAsync(() -> close(looks, together), threads))
              .toArray(CompletableFuture<?>[]::new);
      assertThatNoException().isThrownBy(() -> CompletableFuture.allOf(closing).join());
    }
    threads.shutdown();
  }

  private static void close(ShareLooks looks, CyclicBarrier together) {
    try {
      together.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    looks.close();
  }
}
