// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

abstract class KeyLockContractTests extends DatabaseContractTests {

  private static final int WRITERS = 4;
  private static final int ROUNDS = 25;

  private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);

  @AfterEach
  final void endThreads() {
    threads.shutdownNow();
  }

  @Test
  final void twoTransactionsNeverHaveOneKeyAtOnce() {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger together = new AtomicInteger();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      // Each names the keys in another order, which must not lead to a deadlock.
      List<String> keys = i % 2 == 0 ? List.of("o-1", "o-2", "é 🔑") : List.of("o-2", "o-1", "o-1");
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  inTransaction(
                      transaction -> {
                        database().keyLocks().lock(transaction, keys);
                        together.addAndGet(inside.getAndIncrement());
                        database()
                            .appender()
                            .append(transaction, List.of(StoreContractTests.message("o-1")));
                        inside.getAndDecrement();
                      });
                }
              },
              threads));
    }
    writers.forEach(CompletableFuture::join);
    assertThat(together).hasValue(0);
    assertThat(messages()).hasSize(WRITERS * ROUNDS);
  }

  @Test
  final void aKeyMayBeLockedAgainAndIsFreeAfterTheRollBack() throws SQLException {
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      database().keyLocks().lock(connection, List.of("o-1"));
      database().keyLocks().lock(connection, List.of("o-1", "o-2"));
      connection.rollback();
      inTransaction(transaction -> database().keyLocks().lock(transaction, List.of("o-2", "o-1")));
    }
  }
}
