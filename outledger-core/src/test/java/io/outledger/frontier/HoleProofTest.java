// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class HoleProofTest {

  private static final Positions HOLE = Positions.of(7);

  private final HoleProof proof = new HoleProof();

  @Test
  void holeDiesWhenTheHorizonReachesItsWitness() {
    assertThat(proof.polled(HOLE, 100)).isEqualTo(Positions.NONE);
    assertThat(proof.wantsWitness()).isTrue();
    proof.saved(105);
    assertThat(proof.polled(HOLE, 104)).isEqualTo(Positions.NONE);
    assertThat(proof.polled(HOLE, 105)).isEqualTo(HOLE);
  }

  @Test
  void holeThatIsFilledInTheDecidingSnapshotLives() {
    proof.polled(HOLE, 100);
    proof.saved(105);
    assertThat(proof.polled(Positions.NONE, 200)).isEqualTo(Positions.NONE);
    assertThat(proof.wantsWitness()).isFalse();
  }

  @Test
  void holeSeenAfterTheWitnessWaitsForItsOwn() {
    proof.polled(HOLE, 100);
    proof.saved(105);
    Positions both = Positions.of(7, 9);
    assertThat(proof.polled(both, 105)).isEqualTo(HOLE);
    assertThat(proof.polled(Positions.of(9), 300)).isEqualTo(Positions.NONE);
    proof.saved(301);
    assertThat(proof.polled(Positions.of(9), 301)).isEqualTo(Positions.of(9));
  }

  @Test
  void holeDiesByLockOnlyInThePollAfterTheLastNotedWriterHasGone() {
    proof.polled(HOLE, 100);
    proof.saved(105);
    assertThat(proof.writersNow(Set.of(90L, 91L))).containsExactlyInAnyOrder(90L, 91L);
    assertThat(proof.polled(HOLE, 80)).isEqualTo(Positions.NONE);
    assertThat(proof.writersNow(Set.of(91L, 120L))).containsExactly(91L);
    assertThat(proof.polled(HOLE, 80)).isEqualTo(Positions.NONE);
    assertThat(proof.writersNow(Set.of(120L))).isEmpty();
    assertThat(proof.polled(HOLE, 80)).isEqualTo(HOLE);
  }

  @Test
  void writersAreNotNotedBeforeTheHoleIsWitnessed() {
    proof.polled(HOLE, 100);
    assertThat(proof.wantsWriters()).isFalse();
    proof.writersNow(Set.of());
    assertThat(proof.polled(HOLE, 100)).isEqualTo(Positions.NONE);
  }
}
