// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.store.Start;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MoveWishTest {

  private static final LedgerEdge EDGE = new LedgerEdge(10, Positions.of(2, 3, 9), null);

  @Test
  void startSaysWhereAMoveReadsAgainOrTheScanDoes() {
    assertThat(wish(new Start.AtPosition(8), false).target()).isEqualTo(7);
    assertThat(new MoveWish(Start.NOW, Optional.of(EDGE), false).target()).isEqualTo(10);
    assertThat(wish(Start.EARLIEST, false).target()).isZero();
  }

  @Test
  void handlersPassOverWhatTheyKnowOfAReplay() {
    assertThat(wish(new Start.AtPosition(8), false).recall(10, false))
        .isEqualTo(new MoveWish.Recall(OptionalLong.of(7), OptionalLong.empty()));
  }

  @Test
  void handlersForgetWhatIsProcessedAgain() {
    assertThat(wish(new Start.AtPosition(8), true).recall(10, false))
        .isEqualTo(new MoveWish.Recall(OptionalLong.empty(), OptionalLong.of(7)));
  }

  @Test
  void handlersRememberEverythingWhereNothingIsReadAgain() {
    assertThat(wish(new Start.AtPosition(11), true).recall(10, false))
        .isEqualTo(new MoveWish.Recall(OptionalLong.empty(), OptionalLong.empty()));
  }

  @Test
  void handlersForgetAnEmptiedLedgerWhole() {
    assertThat(wish(new Start.AtPosition(8), true).recall(3, true))
        .isEqualTo(new MoveWish.Recall(OptionalLong.empty(), OptionalLong.of(0)));
    assertThat(wish(new Start.AtPosition(8), false).recall(3, true))
        .isEqualTo(new MoveWish.Recall(OptionalLong.of(7), OptionalLong.empty()));
  }

  private static MoveWish wish(Start start, boolean processAgain) {
    return new MoveWish(start, Optional.empty(), processAgain);
  }
}
