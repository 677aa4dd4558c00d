// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class InboxTableTest {

  private static final Set<InboxId> IDS = Set.of(new InboxId("shop", "1"));

  private final InMemoryLedger ledger = new InMemoryLedger(new SettableClock());

  @Test
  void threadThatWouldWaitForItselfIsToldSo() {
    InMemoryTransaction first = ledger.begin();
    assertThat(ledger.inboxStore().insert(first, "inventory", IDS)).isEqualTo(IDS);
    InMemoryTransaction second = ledger.begin();
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> ledger.inboxStore().insert(second, "inventory", IDS))
        .matches(e -> e.code() == ErrorCode.STORE_FAILED);
    second.rollback();
    first.commit();
    assertThat(ledger.inboxSize()).isEqualTo(1);
  }

  @Test
  void interruptedWaitEndsAndStaysInterrupted() throws InterruptedException {
    InMemoryTransaction first = ledger.begin();
    ledger.inboxStore().insert(first, "inventory", IDS);
    boolean[] stillInterrupted = new boolean[1];
    Thread waiter =
        new Thread(
            () -> {
              try (InMemoryTransaction second = ledger.begin()) {
                assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> ledger.inboxStore().insert(second, "inventory", IDS));
                stillInterrupted[0] = Thread.currentThread().isInterrupted();
              }
            });
    waiter.start();
    waiter.interrupt();
    waiter.join();
    assertThat(stillInterrupted[0]).isTrue();
    first.rollback();
  }
}
