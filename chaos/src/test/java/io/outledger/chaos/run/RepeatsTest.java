// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.checker.Finding;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Positions 1 to 5 arrive at 100 ms, and the cursor is moved back to before 3 at 200 ms. */
class RepeatsTest {

  private final List<String> told = new ArrayList<>();
  private int takenUp = 2;

  private final Times times = new Times();
  private final Repeats repeats = new Repeats();
  private List<Repeats.Move> moves = List.of(new Repeats.Move(199, 201, 3));

  RepeatsTest() {
    for (int position = 1; position <= 5; position++) {
      times.add(position, 100);
    }
    repeats.saved(5);
    repeats.moved(200, 2);
  }

  @Test
  void moveAfterWhichAllIsDeliveredAgainIsFine() {
    again(3, 4, 5);
    assertThat(findings(0)).isEmpty();
  }

  @Test
  void messageThatIsNotDeliveredAgainIsFound() {
    again(3, 5);
    assertThat(findings(0)).singleElement().asString().contains("3", "2");
  }

  @Test
  void deadLetterStaysParked() {
    again(3, 5);
    repeats.dead(4);
    assertThat(findings(0)).isEmpty();
  }

  @Test
  void moveThatReturnedAndHasMovedNothingIsFound() {
    again(3, 4, 5);
    moves = List.of(new Repeats.Move(199, 201, 3), new Repeats.Move(250, 260, 2));
    assertThat(findings(0)).singleElement().asString().contains("moves that were done");
  }

  @Test
  void moveToAnotherPlaceThanWasAskedForIsFound() {
    again(3, 4, 5);
    moves = List.of(new Repeats.Move(199, 201, 2));
    assertThat(findings(0)).hasSize(1);
  }

  @Test
  void moveWhoseTransactionWaitedForLocksIsFound() {
    again(3, 4, 5);
    moves = List.of(new Repeats.Move(150, 160, 3));
    assertThat(findings(0)).isEmpty();
  }

  @Test
  void moveThatARestoreHasTakenBackIsNotMissed() {
    again(3, 4, 5);
    moves = List.of(new Repeats.Move(250, 260, 2));
    assertThat(findings(300)).isEmpty();
  }

  @Test
  void messageThatIsNotReplayedIsFound() {
    again(3, 4, 5);
    assertThat(replayed(2L, 3L)).singleElement().asString().contains("messages to be replayed");
    assertThat(told).containsExactly("replay r-1 (all): 1 of 2 messages did not arrive");
    again(2);
    assertThat(replayed(2L, 3L)).isEmpty();
  }

  /** It was parked for another replay, which a move has ended since. */
  @Test
  void messageThatWasNotTakenUpIsNotMissed() {
    takenUp = 1;
    again(3);
    assertThat(replayed(2L, 3L)).isEmpty();
    assertThat(replayed(2L)).hasSize(1);
  }

  @Test
  void deadLetterMayBeReplayedOrNot() {
    repeats.dead(2);
    assertThat(replayed(2L)).isEmpty();
  }

  private List<Finding> replayed(Long... positions) {
    Checker checker = new Checker();
    Repeats.Again replay = new Repeats.Again(250, List.of(positions), takenUp, "r-1 (all)");
    repeats.tellAgain(List.of(replay), times, checker, told::add);
    return checker.report().findings();
  }

  private void again(long... positions) {
    for (long position : positions) {
      times.add(position, 300);
    }
  }

  private List<Finding> findings(long restoredMs) {
    Checker checker = new Checker();
    repeats.tell(moves, restoredMs, times, checker);
    return checker.report().findings();
  }
}
