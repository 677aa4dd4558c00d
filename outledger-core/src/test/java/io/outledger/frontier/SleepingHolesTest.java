// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.SleepingHoles.Looked;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SleepingHolesTest {

  private static final Positions OLD = Positions.of(3);
  private static final Positions NEXT = Positions.of(7);
  private static final Positions LAST = Positions.of(9);

  private static final long EDGE = 100;

  private final SleepingHoles holes = new SleepingHoles();

  private static Snapshot snapshot(Long... running) {
    return new Snapshot(1, EDGE, Set.of(running));
  }

  private Looked look(Positions looked, Long... running) {
    return holes.looked(Positions.NONE, looked, snapshot(running));
  }

  private static Looked dead(Positions dead) {
    return new Looked(dead, Positions.NONE, Positions.NONE);
  }

  private static Looked fallenAsleep(Positions asleep) {
    return new Looked(Positions.NONE, asleep, Positions.NONE);
  }

  private static final Looked NOTHING = dead(Positions.NONE);

  /** Makes them sleep behind a transaction that began before a save with the given id. */
  private void sleep(Positions old, long witness, Long... running) {
    holes.layDown(old);
    holes.saved(witness);
    assertThat(look(old, running)).isEqualTo(NOTHING);
    assertThat(look(old, running)).isEqualTo(fallenAsleep(old));
  }

  @Test
  void wakeOnceTheirFillerHasEnded() {
    assertThat(holes.wantsWriters()).isFalse();
    sleep(OLD, 20, 10L);
    assertThat(holes.wantsWriters()).isTrue();
    assertThat(holes.asleep()).isEqualTo(OLD);
    assertThat(holes.misses(snapshot(10L, 30L))).isFalse();
    assertThat(holes.toLookFor()).isEqualTo(Positions.NONE);

    assertThat(holes.misses(snapshot(30L))).isTrue();
    assertThat(holes.toLookFor()).isEqualTo(OLD);
    assertThat(holes.misses(snapshot(30L))).isFalse();
    assertThat(look(OLD, 30L)).isEqualTo(dead(OLD));
    assertThat(holes.asleep()).isEqualTo(Positions.NONE);
    assertThat(holes.wantsWriters()).isFalse();
  }

  @Test
  void areWokenByWhatFilledThem() {
    sleep(OLD, 20, 10L, 11L);
    assertThat(holes.misses(snapshot(11L))).isTrue();
    assertThat(holes.looked(OLD, Positions.NONE, snapshot(11L)))
        .isEqualTo(new Looked(Positions.NONE, Positions.NONE, OLD));
    assertThat(holes.asleep()).isEqualTo(Positions.NONE);
  }

  @Test
  void doNotSleepBeforeASaveHasWitnessedThem() {
    holes.layDown(OLD);
    assertThat(look(OLD, 10L)).isEqualTo(NOTHING);
    holes.saved(20);
    assertThat(look(OLD, 10L, 11L)).isEqualTo(NOTHING);
    assertThat(look(OLD, 10L, 11L)).isEqualTo(fallenAsleep(OLD));
    assertThat(holes.misses(snapshot(10L))).isTrue();
  }

  @Test
  void doNotSleepByAPageThatIsOlderThanTheSave() {
    holes.layDown(OLD);
    holes.saved(EDGE);
    assertThat(look(OLD)).isEqualTo(NOTHING);
    assertThat(look(OLD)).isEqualTo(NOTHING);
    assertThat(holes.isWaiting()).isTrue();
    Snapshot later = new Snapshot(1, EDGE + 1, Set.of(10L));
    assertThat(holes.looked(Positions.NONE, OLD, later)).isEqualTo(NOTHING);
    assertThat(holes.looked(Positions.NONE, OLD, later)).isEqualTo(fallenAsleep(OLD));
    assertThat(holes.isWaiting()).isFalse();
  }

  @Test
  void doNotSleepWhileTransactionsEndThatWouldWakeThem() {
    holes.layDown(OLD);
    holes.saved(20);
    assertThat(look(OLD, 10L, 11L, 12L)).isEqualTo(NOTHING);
    assertThat(look(OLD, 10L, 11L)).isEqualTo(NOTHING);
    assertThat(look(OLD, 10L, 30L)).isEqualTo(NOTHING);
    assertThat(look(OLD, 10L, 30L)).isEqualTo(fallenAsleep(OLD));
    assertThat(holes.misses(snapshot(10L))).isFalse();
  }

  @Test
  void areDeadWhereAllWhoRunBeganAfterTheSave() {
    holes.layDown(OLD);
    holes.saved(20);
    assertThat(look(OLD, 21L)).isEqualTo(dead(OLD));
  }

  @Test
  void dieWhereTheirFillersHoldNoLockOfTheLedger() {
    sleep(OLD, 20, 10L);
    holes.writersNow(Set.of(30L));
    assertThat(look(Positions.NONE, 10L)).isEqualTo(dead(OLD));
  }

  @Test
  void waitWithThoseAsleepWhereOnlyShortTransactionsWouldWakeThem() {
    sleep(OLD, 20, 10L);
    holes.layDown(NEXT);
    holes.saved(40);
    assertThat(look(NEXT, 10L, 30L)).isEqualTo(NOTHING);
    assertThat(look(NEXT, 10L, 50L)).isEqualTo(fallenAsleep(NEXT));
    assertThat(holes.asleep()).isEqualTo(OLD.union(NEXT));
    assertThat(holes.misses(snapshot(10L))).isFalse();
  }

  @Test
  void waitNoLongerThanUntilMoreHaveGrownOld() {
    sleep(OLD, 20, 10L);
    holes.layDown(NEXT);
    holes.saved(40);
    assertThat(look(NEXT, 10L, 30L)).isEqualTo(NOTHING);
    holes.layDown(LAST);
    holes.saved(60);
    assertThat(look(NEXT.union(LAST), 10L, 50L)).isEqualTo(fallenAsleep(NEXT.union(LAST)));
    assertThat(holes.misses(snapshot(10L))).isTrue();
  }

  @Test
  void mayWaitAgainOnceTheHurryIsOver() {
    waitNoLongerThanUntilMoreHaveGrownOld();
    assertThat(look(Positions.NONE, 10L, 50L)).isEqualTo(NOTHING);
    Positions fresh = Positions.of(12);
    holes.layDown(fresh);
    holes.saved(80);
    assertThat(look(fresh, 10L, 50L, 70L)).isEqualTo(NOTHING);
  }

  @Test
  void thatJoinNeedNotHurryWhereNoneWaits() {
    sleep(OLD, 20, 10L);
    holes.layDown(NEXT);
    holes.layDown(LAST);
    holes.saved(40);
    assertThat(look(NEXT.union(LAST), 10L, 30L)).isEqualTo(NOTHING);
  }

  @Test
  void thatAreDeadHurryNobody() {
    sleep(OLD, 20, 10L);
    holes.layDown(NEXT);
    holes.saved(40);
    holes.writersNow(Set.of());
    assertThat(look(NEXT, 50L).dead()).isEqualTo(OLD.union(NEXT));
    sleep(LAST, 60, 50L);
    Positions fresh = Positions.of(12);
    holes.layDown(fresh);
    holes.saved(80);
    assertThat(look(fresh, 50L, 70L)).isEqualTo(NOTHING);
  }
}
