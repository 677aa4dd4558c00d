// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static io.outledger.jdbc.spi.LedgerSight.ANOTHER;
import static io.outledger.jdbc.spi.LedgerSight.SAME;
import static io.outledger.jdbc.spi.LedgerSight.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Skip;
import io.outledger.store.Start;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MoveRequestTest {

  private static final LedgerEdge EDGE = new LedgerEdge(10, Positions.of(2, 3, 9), null);

  @Test
  void startSaysWhereAMoveReadsAgainOrTheScanDoes() {
    assertThat(request(new Start.AtPosition(8), false).target()).isEqualTo(7);
    assertThat(new MoveRequest(new Skip("kafka", Start.NOW), Optional.of(EDGE)).target())
        .isEqualTo(10);
    assertThat(request(Start.EARLIEST, false).target()).isZero();
  }

  @Test
  void moveBackReadsAgainAboveWhereItStarts() {
    assertThat(request(new Start.AtPosition(8), false).readAgainAbove(10, SAME)).hasValue(7);
    assertThat(request(new Start.AtPosition(8), true).readAgainAbove(10, SAME)).hasValue(7);
  }

  @Test
  void nothingComesAgainAfterASkip() {
    MoveRequest skip = new MoveRequest(new Skip("kafka", Start.at(8)), Optional.empty());
    assertThat(skip.readAgainAbove(10, SAME)).isEmpty();
    assertThat(skip.readAgainAbove(10, UNKNOWN)).hasValue(7);
    assertThat(skip.skips()).isTrue();
  }

  @Test
  void aSkipBeginsAnewWhereTheLedgerMayBeAnotherAndAMoveWhereItIs() {
    MoveRequest skip = new MoveRequest(new Skip("kafka", Start.at(8)), Optional.empty());
    assertThat(List.of(SAME, UNKNOWN, ANOTHER))
        .extracting(skip::beginsAnew)
        .containsExactly(false, true, true);
    assertThat(List.of(SAME, UNKNOWN, ANOTHER))
        .extracting(request(Start.EARLIEST, false)::beginsAnew)
        .containsExactly(false, false, true);
  }

  @Test
  void nothingComesAgainWhereAMoveWouldGoForward() {
    assertThat(request(new Start.AtPosition(11), true).readAgainAbove(10, SAME)).isEmpty();
    assertThat(request(new Start.AtPosition(12), false).readAgainAbove(10, SAME)).isEmpty();
  }

  private static MoveRequest request(Start start, boolean processAgain) {
    return new MoveRequest(new Move("kafka", start, processAgain), Optional.empty());
  }
}
