// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.jdbc.spi.DueMessages.Row;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RefusedMessagesTest {

  private long nanos;
  private final RefusedMessages refused =
      new RefusedMessages(
          new TimeSource() {
            @Override
            public Instant now() {
              return Instant.EPOCH;
            }

            @Override
            public long nanoTime() {
              return nanos;
            }
          });
  private final StoreException why = new StoreException(ErrorCode.STORE_FAILED, "no");

  @Test
  void batchIsMetAgainByItsFirstRowAlone() {
    assertThat(refused.meet(List.of(row(1), row(2)))).isFalse();
    assertThat(refused.meet(List.of(row(2), row(1)))).isFalse();
    refused.begin();
    assertThat(refused.meet(List.of())).isFalse();
    assertThat(refused.meet(List.of(row(2)))).isTrue();
    assertThat(refused.meet(List.of(row(2), row(3)))).isTrue();
  }

  @Test
  void whatWasRefusedIsTriedAgainAfterAWhile() {
    assertThat(refused.begin()).isEmpty();
    assertThat(refused.again()).isEmpty();
    refuse(7);
    pass(RefusedMessages.RETRY.minusMillis(1));
    refuse(8);
    assertThat(refused.begin()).containsExactlyInAnyOrder(row(7), row(8));
    assertThat(refused.again()).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(refused.begin()).containsExactlyInAnyOrder(row(7), row(8));
    assertThat(refused.again()).contains(Set.of(row(8)));
  }

  @Test
  void someAreTriedAgainAtATimeAndTheLongestRefusedFirst() {
    for (long number = 0; number < 100; number++) {
      refuse(number);
      pass(Duration.ofMillis(1));
    }
    pass(RefusedMessages.RETRY);
    assertThat(refused.begin()).hasSize(100);
    assertThat(refused.again().orElseThrow())
        .hasSizeBetween(50, 99)
        .doesNotContain(row(0), row(1))
        .contains(row(98), row(99));
  }

  /** The cause is gone, and what was tried again has moved: nothing more is heard of it. */
  @Test
  void eachHasItsTurnThoughThoseBeforeAreThereNoMore() {
    for (long number = 0; number < 100; number++) {
      refuse(number);
    }
    pass(RefusedMessages.RETRY);
    Set<Row> tried = new HashSet<>();
    Set<Row> all = refused.begin();
    for (Optional<Set<Row>> waiting = refused.again();
        waiting.isPresent();
        waiting = refused.again()) {
      Set<Row> turn = new HashSet<>(all);
      turn.removeAll(waiting.get());
      tried.addAll(turn);
      refused.others();
      refused.begin();
    }
    assertThat(tried).isEqualTo(all).hasSize(100);
  }

  @Test
  void manyRefusedBehindOneThatMovesAreLeaptOverToo() {
    refuseManyBehindOneThatMoves();
    assertThat(refused.leap()).isGreaterThan(30_000);
  }

  @Test
  void noMessageIsToBlameWhereNoneGetsThrough() {
    refused.begin();
    refused.add(row(7), why);
    assertThatThrownBy(refused::requireOthers).isSameAs(why);
    refused.begin();
    refused.requireOthers();
  }

  @Test
  void oneThatWasNotRefusedAgainIsForgotten() {
    refuse(7);
    pass(RefusedMessages.FORGOTTEN);
    assertThat(refused.begin()).isEmpty();
  }

  @Test
  void manyRefusedInARowAreLeaptOverFartherAndFarther() {
    refused.begin();
    int last = 0;
    for (long number = 0; number < 100; number++) {
      refused.add(row(number), why);
      assertThat(refused.leap()).isGreaterThanOrEqualTo(last);
      last = refused.leap();
    }
    assertThat(last).isGreaterThan(30_000);
    refused.others();
    assertThat(refused.leap()).isZero();
    refused.add(row(100), why);
    assertThat(refused.leap()).isZero();
  }

  @Test
  void manyBadOnesAreAllFoundWhereOthersGetThrough() {
    refuseManyBehindOneThatMoves();
    refused.requireOthers();
    assertThat(refused.begin()).hasSize(100);
  }

  @Test
  void anUnreadableRowFailsNoPass() {
    refused.begin();
    refused.addUnreadable(row(7), "headers");
    refused.requireOthers();
    assertThat(refused.begin()).containsExactly(row(7));
  }

  private void refuseManyBehindOneThatMoves() {
    refused.begin();
    refused.others();
    for (long number = 0; number < 100; number++) {
      refused.add(row(number), why);
    }
  }

  private void refuse(long number) {
    refused.begin();
    refused.add(row(number), why);
    refused.others();
    refused.requireOthers();
  }

  private static Row row(long number) {
    return new Row(number, new UUID(0, number));
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
