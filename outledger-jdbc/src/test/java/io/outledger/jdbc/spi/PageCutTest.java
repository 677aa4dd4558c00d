// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.PollRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PageCutTest {

  private static final PollRequest REQUEST = new PollRequest(10, 3, 1000, Positions.of(2, 4, 6, 8));

  @Test
  void wholePageIsKept() {
    PageCut cut = cut(100, 4, 8, 11, 15);
    cut.keep(4);
    assertThat(cut.readTo()).isEqualTo(15);
    assertThat(cut.withheld()).isEqualTo(Positions.NONE);
    assertThat(cut.more()).isFalse();
  }

  @Test
  void fullPageHasMore() {
    PageCut cut = cut(100, 4, 11, 12, 13);
    cut.keep(4);
    assertThat(cut.more()).isTrue();
  }

  @Test
  void moreThanWasAskedForFromAboveIsLeftToTheNextPage() {
    PageCut cut = cut(100, 4, 11, 12, 13, 14, 15);
    assertThat(cut.messages()).hasSize(4);
    cut.keep(4);
    assertThat(cut.readTo()).isEqualTo(13);
    assertThat(cut.withheld()).isEqualTo(Positions.NONE);
    assertThat(cut.more()).isTrue();
  }

  @Test
  void cutAboveLowersWhatWasReadTo() {
    PageCut cut = cut(100, 4, 11, 15);
    cut.keep(2);
    assertThat(cut.readTo()).isEqualTo(11);
    assertThat(cut.withheld()).isEqualTo(Positions.NONE);
    assertThat(cut.more()).isTrue();
  }

  @Test
  void cutInOpenPositionsHandsOnNothingAbove() {
    PageCut cut = cut(100, 4, 6, 8, 11);
    cut.keep(1);
    assertThat(cut.readTo()).isEqualTo(10);
    assertThat(cut.withheld()).isEqualTo(Positions.of(6, 8));
  }

  @Test
  void nothingKeptLeavesEverythingWhereItWas() {
    PageCut cut = cut(100, 4, 11);
    cut.keep(0);
    assertThat(cut.readTo()).isEqualTo(10);
    assertThat(cut.withheld()).isEqualTo(Positions.of(4));
    assertThat(cut.more()).isTrue();
  }

  @Test
  void openPositionsThatTheStatementDidNotReachAreWithheld() {
    PageCut cut = cut(2, 2, 4, 11);
    cut.keep(2);
    assertThat(cut.messages()).hasSize(2);
    assertThat(cut.readTo()).isEqualTo(10);
    assertThat(cut.withheld()).isEqualTo(Positions.of(6, 8));
    assertThat(cut.more()).isTrue();
  }

  private static PageCut cut(int openMax, long... positions) {
    Message message = Message.to("orders", "order.placed").build();
    List<LedgerMessage> seen =
        new ArrayList<>(
            LongStream.of(positions).mapToObj(p -> new LedgerMessage(p, message)).toList());
    return new PageCut(REQUEST, seen, openMax);
  }
}
