// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Positions;
import io.outledger.store.Start;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MoveRequestTest {

  private static final LedgerEdge EDGE = new LedgerEdge(10, Positions.of(2, 3, 9), null);

  @Test
  void startSaysWhereAMoveReadsAgainOrTheScanDoes() {
    assertThat(request(new Start.AtPosition(8), false).target()).isEqualTo(7);
    assertThat(new MoveRequest(Start.NOW, Optional.of(EDGE), false).target()).isEqualTo(10);
    assertThat(request(Start.EARLIEST, false).target()).isZero();
  }

  @Test
  void handlersPassOverWhatTheyKnowOfAReplay() {
    assertThat(request(new Start.AtPosition(8), false).memory(10, false))
        .isEqualTo(new MoveRequest.Memory(OptionalLong.of(7), OptionalLong.empty()));
  }

  @Test
  void handlersForgetWhatIsProcessedAgain() {
    assertThat(request(new Start.AtPosition(8), true).memory(10, false))
        .isEqualTo(new MoveRequest.Memory(OptionalLong.empty(), OptionalLong.of(7)));
  }

  @Test
  void handlersRememberEverythingWhereNothingIsReadAgain() {
    assertThat(request(new Start.AtPosition(11), true).memory(10, false))
        .isEqualTo(new MoveRequest.Memory(OptionalLong.empty(), OptionalLong.empty()));
  }

  @Test
  void handlersForgetAnEmptiedLedgerWhole() {
    assertThat(request(new Start.AtPosition(8), true).memory(3, true))
        .isEqualTo(new MoveRequest.Memory(OptionalLong.empty(), OptionalLong.of(0)));
    assertThat(request(new Start.AtPosition(8), false).memory(3, true))
        .isEqualTo(new MoveRequest.Memory(OptionalLong.of(7), OptionalLong.empty()));
  }

  private static MoveRequest request(Start start, boolean processAgain) {
    return new MoveRequest(start, Optional.empty(), processAgain);
  }
}
