// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.StoreException;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.inbox.InboxId;
import io.outledger.store.LeaseGrant;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.ServerIdentity;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DatabaseFaultsTest {

  private static final Message MESSAGE = Message.to("orders", "order.placed").key("a").build();
  private static final UUID OWNER = new UUID(1, 1);
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final InMemoryLedger ledger = new InMemoryLedger(new SettableClock());
  private final RelayStore store = ledger.relayStore("kafka", Start.EARLIEST);
  private LeaseGrant grant = take();

  @BeforeEach
  void append() {
    ledger.inNewTransaction(MESSAGE, MESSAGE, MESSAGE);
  }

  @Test
  void databaseThatIsDownAnswersNothingUntilItIsBack() {
    ledger.faults().goDown();
    unavailable(store::look);
    unavailable(this::server);
    ledger.faults().comeBack();
    assertThat(server()).isEqualTo(grant.server());
  }

  @Test
  void failedCallHasNoEffect() {
    ledger.faults().failNext(1);
    unavailable(() -> store.save(save(2)));
    assertThat(ledger.subscription("kafka").frontier()).isEqualTo(Frontier.START);
  }

  @Test
  void callWhoseReplyIsLostHasItsEffect() {
    ledger.faults().loseReplies(1);
    unavailable(() -> store.save(save(2)));
    assertThat(ledger.subscription("kafka").frontier().high()).isEqualTo(2);
  }

  @Test
  void brokenConditionStopsTakeOverAndCheck() {
    ledger.faults().breakCondition(ErrorCode.LEDGER_ALTERED);
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> store.checkPreconditions(0))
        .matches(e -> e.code() == ErrorCode.LEDGER_ALTERED);
    assertThatExceptionOfType(ConfigurationException.class).isThrownBy(this::take);
    ledger.faults().restorePreconditions();
    store.checkPreconditions(3);
  }

  @Test
  void numbersSetBackStopTheCheck() {
    ledger.setLastPosition(1);
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> store.checkPreconditions(3))
        .matches(e -> e.code() == ErrorCode.LEDGER_BEHIND_CURSOR);
  }

  @Test
  void restartAndFailOverAreAnsweredByAnotherServer() {
    ledger.faults().restartServer();
    ServerIdentity restarted = server();
    assertThat(restarted).isNotEqualTo(grant.server());
    ledger.faults().failOver();
    assertThat(server()).isNotEqualTo(grant.server()).isNotEqualTo(restarted);
  }

  @Test
  void restoredLedgerHasLostWhatCameAfterItsBackup() {
    store.save(save(1));
    LedgerBackup backup = ledger.backup();
    grant = take();
    store.save(save(3));
    ledger.inNewTransaction(MESSAGE);
    remember();
    InMemoryTransaction open = ledger.begin();
    open.append(MESSAGE);
    ledger.restore(backup);
    assertThat(open.isOpen()).isFalse();
    assertThat(ledger.messages()).hasSize(3);
    assertThat(ledger.inboxSize()).isZero();
    assertThat(ledger.subscription("kafka").frontier().high()).isEqualTo(1);
    assertThat(server()).isNotEqualTo(grant.server());
    assertThat(ledger.inNewTransaction(MESSAGE)).containsExactly(4L);
  }

  @Test
  void backupIsRestoredAsOftenAsWanted() {
    LedgerBackup backup = ledger.backup();
    for (int i = 0; i < 2; i++) {
      grant = take();
      store.save(save(2));
      ledger.restore(backup);
      assertThat(ledger.subscription("kafka").frontier()).isEqualTo(Frontier.START);
    }
  }

  @Test
  void closedStoreAnswersNothing() {
    store.close();
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(store::look)
        .matches(e -> e.code() == ErrorCode.CLOSED);
  }

  private void remember() {
    try (InMemoryTransaction transaction = ledger.begin()) {
      Set<InboxId> ids = Set.of(new InboxId("shop", "1"));
      assertThat(ledger.inboxStore().insert(transaction, "inventory", ids)).isEqualTo(ids);
      transaction.commit();
    }
    assertThat(ledger.inboxSize()).isEqualTo(1);
  }

  private LeaseGrant take() {
    return store.takeOver(store.look(), OWNER, LEASE, () -> {}).orElseThrow();
  }

  private Save save(long high) {
    Frontier frontier = new Frontier(high, Positions.NONE);
    return new Save(
        grant.n(),
        OWNER,
        grant.server(),
        LEASE,
        frontier,
        Positions.NONE,
        Positions.NONE,
        List.of(),
        null,
        Set.of());
  }

  private ServerIdentity server() {
    return store.poll(new PollRequest(0, 10, 1_000, Positions.NONE)).server();
  }

  private static void unavailable(Runnable call) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(call::run)
        .matches(e -> e.code() == ErrorCode.STORE_UNAVAILABLE);
  }
}
