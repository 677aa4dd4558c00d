// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.HoleTracker.Looked;
import java.util.Arrays;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class HoleTrackerTest {

  private static final Positions FIRST = Positions.of(3);
  private static final Positions SECOND = Positions.of(7);
  private static final Positions BOTH = FIRST.union(SECOND);
  private static final Positions NONE = Positions.NONE;
  private static final Looked NOTHING = new Looked(NONE, NONE, NONE);

  private final HoleTracker holes = new HoleTracker();

  /** A snapshot in which all below 1,000 have ended but for the given. */
  private static Snapshot running(Long... ids) {
    return new Snapshot(1_000, new HashSet<>(Arrays.asList(ids)));
  }

  private Looked look(Positions lookedFor, Long... running) {
    return holes.looked(lookedFor, NONE, running(running));
  }

  private Positions missed(Long... running) {
    return holes.missedBy(NONE, running(running));
  }

  private void sleep(Positions fresh, long witness, Long... running) {
    look(fresh, running);
    holes.saved(witness);
    assertThat(look(fresh, running)).isEqualTo(new Looked(NONE, fresh, NONE));
  }

  @Test
  void holeDiesOnceAllWhoOwnedAnIdBeforeItsWitnessHaveEnded() {
    assertThat(look(FIRST, 10L)).isEqualTo(NOTHING);
    assertThat(holes.wantsWitness()).isTrue();
    holes.saved(20);
    assertThat(holes.wantsWitness()).isFalse();
    assertThat(look(FIRST, 21L)).isEqualTo(new Looked(FIRST, NONE, NONE));
  }

  @Test
  void holeIsNotDeadByASnapshotThatShowsIt() {
    look(FIRST, 10L);
    holes.saved(20);
    assertThat(holes.looked(FIRST, FIRST, running())).isEqualTo(NOTHING);
    assertThat(holes.wantsWitness()).isFalse();
  }

  @Test
  void holeDoesNotSleepBySnapshotsThatAreNotExact() {
    Snapshot running = new Snapshot(1_000, new HashSet<>(Arrays.asList(10L)), false);
    holes.looked(FIRST, NONE, running);
    holes.saved(20);
    assertThat(holes.looked(FIRST, NONE, running)).isEqualTo(NOTHING);
    assertThat(holes.asleep()).isEqualTo(NONE);
    assertThat(holes.wantsWriters()).isTrue();
    assertThat(holes.looked(FIRST, NONE, new Snapshot(1_001, new HashSet<>(), false)))
        .isEqualTo(new Looked(FIRST, NONE, NONE));
  }

  @Test
  void holeSleepsUntilAFillerHasEnded() {
    sleep(FIRST, 20, 10L, 11L);
    assertThat(holes.asleep()).isEqualTo(FIRST);
    assertThat(missed(10L, 11L, 30L)).isEqualTo(NONE);
    assertThat(missed(11L, 30L)).isEqualTo(FIRST);
    assertThat(look(FIRST, 11L)).isEqualTo(NOTHING);
    assertThat(missed(11L)).isEqualTo(NONE);
    assertThat(missed()).isEqualTo(FIRST);
    assertThat(look(FIRST)).isEqualTo(new Looked(FIRST, NONE, NONE));
    assertThat(holes.asleep()).isEqualTo(NONE);
  }

  @Test
  void holeThatWasFilledWhileItSleptWakes() {
    sleep(BOTH, 20, 10L, 11L);
    assertThat(missed(11L)).isEqualTo(BOTH);
    assertThat(holes.looked(BOTH, FIRST, running(11L))).isEqualTo(new Looked(NONE, NONE, FIRST));
    assertThat(holes.asleep()).isEqualTo(SECOND);
  }

  @Test
  void pageThatLookedForSleepersMissesNone() {
    sleep(FIRST, 20, 10L);
    assertThat(holes.missedBy(BOTH, running())).isEqualTo(NONE);
    assertThat(holes.missedBy(SECOND, running())).isEqualTo(FIRST);
  }

  @Test
  void pageThatIsOlderThanTheWitnessProvesNothing() {
    look(FIRST);
    holes.saved(1_000);
    assertThat(look(FIRST)).isEqualTo(NOTHING);
    assertThat(holes.asleep()).isEqualTo(NONE);
    Snapshot later = new Snapshot(1_001, new HashSet<>(Arrays.asList(999L)));
    assertThat(holes.looked(FIRST, NONE, later)).isEqualTo(new Looked(NONE, FIRST, NONE));
  }

  @Test
  void whoTheSnapshotDoesNotKnowHasNotEnded() {
    sleep(FIRST, 20, 10L);
    Snapshot older = new Snapshot(5, new HashSet<>());
    assertThat(holes.missedBy(NONE, older)).isEqualTo(NONE);
  }

  /** Writers that overlap without end keep a hole no longer than those of its own time last. */
  @Test
  void holesWaitForTheFillersOfTheirOwnTimeAlone() {
    sleep(FIRST, 20, 10L, 11L);
    sleep(SECOND, 40, 11L, 30L);
    look(FIRST, 11L, 30L);
    assertThat(missed(30L, 50L)).isEqualTo(BOTH);
    assertThat(look(BOTH, 30L, 50L)).isEqualTo(new Looked(FIRST, NONE, NONE));
    assertThat(holes.asleep()).isEqualTo(SECOND);
  }

  @Test
  void holesWithTheSameFillersAreKeptTogether() {
    sleep(FIRST, 20, 10L);
    sleep(SECOND, 40, 10L, 30L);
    assertThat(missed(10L)).isEqualTo(SECOND);
    assertThat(look(SECOND, 10L)).isEqualTo(NOTHING);
    assertThat(missed()).isEqualTo(BOTH);
  }

  @Test
  void saveMadeForOneHoleDoesNotWitnessALaterOne() {
    look(FIRST, 10L);
    holes.saved(20);
    look(BOTH, 10L);
    assertThat(holes.wantsWitness()).isTrue();
    assertThat(look(BOTH)).isEqualTo(new Looked(FIRST, NONE, NONE));
    assertThat(look(SECOND)).isEqualTo(NOTHING);
    holes.saved(60);
    assertThat(look(SECOND)).isEqualTo(new Looked(SECOND, NONE, NONE));
  }

  @Test
  void freshHoleThatIsNotLookedForStaysFresh() {
    look(BOTH, 10L);
    assertThat(look(NONE, 10L)).isEqualTo(NOTHING);
    holes.saved(20);
    assertThat(look(BOTH)).isEqualTo(new Looked(BOTH, NONE, NONE));
  }

  @Test
  void holeDiesWhereThoseStillRunningHoldNoLock() {
    sleep(FIRST, 20, 10L, 11L);
    assertThat(holes.wantsWriters()).isTrue();
    holes.writersNow(new HashSet<>(Arrays.asList(11L, 30L)));
    assertThat(missed(10L, 11L)).isEqualTo(NONE);
    look(NONE, 10L, 11L);
    assertThat(missed(10L)).isEqualTo(FIRST);
    assertThat(look(FIRST, 10L)).isEqualTo(new Looked(FIRST, NONE, NONE));
  }

  @Test
  void holeWhoseFillersAreAllIdleIsLookedForBeforeItDies() {
    sleep(FIRST, 20, 10L);
    holes.writersNow(new HashSet<>());
    assertThat(missed(10L)).isEqualTo(FIRST);
    assertThat(look(FIRST, 10L)).isEqualTo(new Looked(FIRST, NONE, NONE));
  }

  /** It held no lock because it had ended, and so had filled the hole. */
  @Test
  void whoHasEndedSinceIsNotIdle() {
    sleep(FIRST, 20, 10L);
    holes.writersNow(new HashSet<>());
    assertThat(missed()).isEqualTo(FIRST);
    assertThat(holes.looked(FIRST, FIRST, running())).isEqualTo(new Looked(NONE, NONE, FIRST));
  }

  @Test
  void whoHeldNoLockBeforeTheWitnessMayHoldOneSince() {
    look(FIRST, 10L);
    assertThat(holes.wantsWriters()).isFalse();
    holes.writersNow(new HashSet<>());
    holes.saved(20);
    assertThat(look(FIRST, 10L)).isEqualTo(new Looked(NONE, FIRST, NONE));
    assertThat(missed(10L)).isEqualTo(NONE);
  }
}
