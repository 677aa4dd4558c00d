// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.store.KnownMessage;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.ServerIdentity;
import io.outledger.store.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class InMemoryLedgerTest {

  private static final Message MESSAGE = Message.to("orders", "order.placed").key("a").build();

  private final InMemoryLedger ledger = new InMemoryLedger(new SettableClock());

  @Test
  void numbersAreDrawnAtTheAppendAndShownAtTheCommit() {
    InMemoryTransaction slow = ledger.begin();
    InMemoryTransaction fast = ledger.begin();
    assertThat(slow.append(MESSAGE, MESSAGE)).containsExactly(1L, 2L);
    assertThat(fast.append(MESSAGE)).containsExactly(3L);
    fast.commit();
    assertThat(positions()).containsExactly(3L);
    slow.commit();
    assertThat(positions()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void rolledBackNumbersStayHoles() {
    InMemoryTransaction transaction = ledger.begin();
    transaction.append(MESSAGE);
    transaction.rollback();
    assertThat(ledger.inNewTransaction(MESSAGE)).containsExactly(2L);
    assertThat(positions()).containsExactly(2L);
    assertThat(ledger.lastPosition()).isEqualTo(2);
  }

  @Test
  void idIsDrawnWithTheFirstWriteAndHoldsTheHorizonBack() {
    InMemoryTransaction reader = ledger.begin();
    InMemoryTransaction first = ledger.begin();
    first.writeElsewhere();
    ledger.inNewTransaction(MESSAGE);
    assertThat(reader.id()).isZero();
    assertThat(ledger.horizon()).isEqualTo(first.id());
    first.commit();
    assertThat(ledger.horizon()).isGreaterThan(first.id() + 1);
  }

  @Test
  void closingRollsBackWhatIsOpenAndNothingElse() {
    try (InMemoryTransaction transaction = ledger.begin()) {
      transaction.append(MESSAGE);
    }
    try (InMemoryTransaction transaction = ledger.begin()) {
      transaction.append(MESSAGE);
      transaction.commit();
    }
    assertThat(positions()).containsExactly(2L);
  }

  @Test
  void endedTransactionTakesNothing() {
    InMemoryTransaction transaction = ledger.begin();
    transaction.commit();
    assertThat(transaction.isOpen()).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> transaction.append(MESSAGE));
    assertThatIllegalStateException().isThrownBy(transaction::commit);
    assertThatIllegalStateException().isThrownBy(transaction::rollback);
    assertThat(ledger.lastPosition()).isZero();
  }

  @Test
  void listenersHearOfCommittedMessagesAlone() {
    AtomicInteger heard = new AtomicInteger();
    ledger.onCommit(heard::incrementAndGet);
    InMemoryTransaction elsewhere = ledger.begin();
    elsewhere.writeElsewhere();
    elsewhere.commit();
    ledger.begin().append(MESSAGE);
    assertThat(heard).hasValue(0);
    ledger.inNewTransaction(MESSAGE);
    assertThat(heard).hasValue(1);
  }

  @Test
  void unknownSubscriptionIsToldSo() {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> ledger.subscription("kafka"))
        .matches(e -> e.code() == ErrorCode.UNKNOWN_SUBSCRIPTION);
  }

  @Test
  void purgedMessagesAreGoneAndTheirNumbersStayDrawn() {
    ledger.inNewTransaction(MESSAGE, MESSAGE, MESSAGE);
    ledger.purge(2);
    assertThat(positions()).containsExactly(3L);
    assertThat(ledger.inNewTransaction(MESSAGE)).containsExactly(4L);
  }

  @Test
  void truncatedLedgerStartsItsNumbersAgain() {
    ledger.inNewTransaction(MESSAGE, MESSAGE);
    ledger.truncate();
    assertThat(ledger.inNewTransaction(MESSAGE)).containsExactly(1L);
  }

  @Test
  void unreadableMessageIsGoneWithItsLedgerAndBackWithItsBackup() {
    long position = ledger.inNewTransaction(MESSAGE).get(0);
    ledger.makeUnreadable(position);
    LedgerBackup backup = ledger.backup();
    ledger.truncate();
    ledger.inNewTransaction(MESSAGE);
    assertThat(poll(null).messages()).extracting(LedgerMessage::unreadable).containsOnlyNulls();
    ledger.restore(backup);
    assertThat(poll(null).messages()).extracting(LedgerMessage::unreadable).doesNotContainNull();
  }

  @Test
  void ledgerWhoseKnownMessageWasPurgedIsTheSame() {
    KnownMessage known = new KnownMessage(2, MESSAGE.id());
    ledger.inNewTransaction(MESSAGE, MESSAGE, MESSAGE);
    ServerIdentity server = poll(known).server();
    ledger.purge(100);
    assertThat(poll(known).server()).isEqualTo(server);
    ledger.setLastPosition(1);
    assertThat(poll(known).server()).isNotEqualTo(server);
    ledger.inNewTransaction(MESSAGE, MESSAGE, MESSAGE);
    assertThat(poll(new KnownMessage(3, new UUID(1, 1))).server()).isNotEqualTo(server);
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without null checks may do
  void whatIsMissingIsRefusedAtTheDoor() {
    List<ThrowingCallable> calls =
        List.of(
            () -> new InMemoryLedger(null),
            () -> ledger.onCommit(null),
            () -> ledger.relayStore(null, Start.EARLIEST),
            () -> ledger.relayStore("kafka", null),
            () -> ledger.restore(null));
    assertThat(calls)
        .allSatisfy(
            call -> assertThatExceptionOfType(ConfigurationException.class).isThrownBy(call));
  }

  private Page poll(@Nullable KnownMessage known) {
    RelayStore store = ledger.relayStore("kafka", Start.EARLIEST);
    store.look();
    return store.poll(new PollRequest(0, 10, 1_000, Positions.NONE, known));
  }

  @Test
  void simpleTestsOfManyThreadsLoseNothing() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int n = 0; n < 250; n++) {
                  ledger.inNewTransaction(MESSAGE);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(positions()).hasSize(1_000).endsWith(1_000L);
  }

  private List<Long> positions() {
    return ledger.messages().stream().map(LedgerMessage::position).toList();
  }
}
