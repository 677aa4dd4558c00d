// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.relay.RelayBench;
import io.outledger.relay.context.ReadAhead;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryTransaction;
import io.outledger.time.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NextPageTest {

  private final RelayBench bench = new RelayBench();
  private final RelayStore store = bench.ledger.relayStore(RelayBench.SUBSCRIPTION, Start.EARLIEST);
  private final NextPage next = new NextPage(store, ReadAhead.AT_ONCE, TimeSource.system());

  private static PollRequest above(long position, int limit) {
    return new PollRequest(position, limit, 1 << 20, Positions.NONE);
  }

  private static void holds(@Nullable Page page, long readTo, boolean more, Long... positions) {
    assertThat(page).isNotNull();
    assertThat(page.messages()).extracting(LedgerMessage::position).containsExactly(positions);
    assertThat(page.readTo()).isEqualTo(readTo);
    assertThat(page.more()).isEqualTo(more);
  }

  @BeforeEach
  void readFiveOfSix() {
    store.look();
    bench.append("a", 1, 6);
    next.begin(above(0, 5));
    assertThat(next.isWaiting()).isFalse();
    assertThat(next.await()).isNotNull();
    assertThat(next.isWaiting()).isTrue();
    assertThat(next.await()).isNull();
  }

  @Test
  void whatWasReadIsTakenInPartsAndOnce() {
    holds(next.take(above(0, 2)), 2, true, 1L, 2L);
    holds(next.take(above(2, 1)), 3, true, 3L);
    assertThat(next.isWaiting()).isTrue();
    holds(next.take(above(3, 2)), 5, true, 4L, 5L);
    assertThat(next.isWaiting()).isFalse();
    assertThat(next.take(above(5, 2))).isNull();
  }

  @Test
  void lastPartSaysWhetherThereIsMore() {
    next.begin(above(3, 5));
    next.await();
    holds(next.take(above(3, 2)), 5, true, 4L, 5L);
    holds(next.take(above(5, 2)), 6, false, 6L);
  }

  @Test
  void pageThatWouldNotBeReadNowIsForgotten() {
    assertThat(next.take(above(1, 5))).isNull();
    assertThat(next.isWaiting()).isFalse();
    assertThat(next.take(above(0, 5))).isNull();
  }

  @Test
  void pageThatDidNotLookForAnOpenPositionIsForgotten() {
    assertThat(next.take(new PollRequest(0, 5, 1 << 20, Positions.of(3)))).isNull();
    assertThat(next.isWaiting()).isFalse();
  }

  @Test
  void restIsTakenWithTheHolesBeforeIt() {
    InMemoryTransaction late = bench.ledger.begin();
    late.append(RelayBench.message("late", 1)); // position 7
    bench.append("a", 7, 9);
    next.begin(above(5, 5));
    next.await();
    holds(next.take(above(5, 2)), 8, true, 6L, 8L);
    late.commit(); // the page does not show it, and must not be taken as if it did
    holds(next.take(new PollRequest(8, 5, 1 << 20, Positions.of(7))), 10, false, 9L, 10L);
  }

  @Test
  void restIsForgottenWhereSomethingOfTheFirstPartIsToBeLookedFor() {
    bench.ledger.begin().append(RelayBench.message("late", 1));
    bench.append("a", 7, 9);
    next.begin(above(5, 5));
    next.await();
    holds(next.take(above(5, 2)), 8, true, 6L, 8L);
    assertThat(next.take(new PollRequest(8, 5, 1 << 20, Positions.of(6)))).isNull();
  }

  @Test
  void pageOfJustTheLimitIsTakenAsAWhole() {
    holds(next.take(above(0, 5)), 5, true, 1L, 2L, 3L, 4L, 5L);
    assertThat(next.isWaiting()).isFalse();
  }

  @Test
  void restIsTakenWhereTheHolesBeforeItAreDeadOrAsleepByNow() {
    bench.ledger.begin().append(RelayBench.message("late", 1));
    bench.append("a", 7, 9);
    next.begin(above(5, 5));
    next.await();
    holds(next.take(above(5, 2)), 8, true, 6L, 8L);
    holds(next.take(above(8, 5)), 10, false, 9L, 10L);
  }

  @Test
  void pageThatShowsWhatWasOpenIsTakenAsAWholeOrNotAtAll() {
    PollRequest beside = new PollRequest(4, 5, 1 << 20, Positions.of(2, 3));
    next.begin(beside);
    next.await();
    holds(next.take(beside), 6, false, 2L, 3L, 5L, 6L);
    next.begin(beside);
    next.await();
    assertThat(next.take(new PollRequest(4, 3, 1 << 20, Positions.of(2, 3)))).isNull();
    assertThat(next.isWaiting()).isFalse();
  }

  @Test
  void whatIsAbandonedIsForgottenEvenWhereItFails() {
    next.abandon();
    assertThat(next.isWaiting()).isFalse();
    NextPage failing =
        new NextPage(
            store,
            read ->
                () -> {
                  throw new IllegalStateException("planted");
                },
            TimeSource.system());
    failing.begin(above(0, 5));
    failing.abandon();
    assertThat(failing.await()).isNull();
  }
}
