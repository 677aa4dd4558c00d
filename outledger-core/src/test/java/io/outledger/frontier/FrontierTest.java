// SPDX-License-Identifier: Apache-2.0
package io.outledger.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FrontierTest {

  @Test
  void passedPositionsAreOpenUntilTheyAreSettled() {
    Frontier frontier = Frontier.START.readTo(5).settle(Positions.of(1, 2, 4));
    assertThat(frontier).isEqualTo(new Frontier(5, Positions.of(3, 5)));
    assertThat(frontier.lowest()).isEqualTo(3);
    assertThat(frontier.isSettled(4)).isTrue();
    assertThat(frontier.isSettled(3)).isFalse();
    assertThat(frontier.isSettled(6)).isFalse();
    assertThat(frontier.settle(Positions.of(3, 5)).lowest()).isEqualTo(6);
    assertThat(frontier.settle(Positions.of(5)).isSettled(5)).isTrue();
    assertThat(frontier.readTo(5)).isSameAs(frontier);
  }

  @Test
  void nothingAboveHighCanBeOpen() {
    assertThatThrownBy(() -> new Frontier(4, Positions.of(5)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Frontier(-1, Positions.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Every order of commit, roll-back, acknowledgement, crash and reload that 2,000 seeds make. */
  @Test
  void nothingIsLostOrDroppedWhileItMayStillAppear() {
    Seeds.each(2_000, FrontierTest::losesNothing);
  }

  private static void losesNothing(long seed) {
    Reader reader = new Reader(seed);
    for (int step = 0; step < 150; step++) {
      reader.act();
    }
    reader.finish();
    assertThat(reader.acknowledged).containsAll(reader.ledger.visible());
    assertThat(reader.frontier.open()).isEqualTo(Positions.NONE);
  }

  /** A reader over the naive ledger, with acknowledgements, saves and crashes at any time. */
  private static final class Reader {

    private final Random random;
    private final NaiveLedger ledger;
    private final TreeSet<Long> acknowledged = new TreeSet<>();
    private final List<Long> inFlight = new ArrayList<>();
    private Frontier frontier = Frontier.START;
    private Frontier saved = Frontier.START;
    private HoleProof proof = new HoleProof();

    Reader(long seed) {
      random = new Random(seed);
      ledger = new NaiveLedger(random);
    }

    void act() {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3, 4 -> ledger.act();
        case 5, 6 -> poll();
        case 7, 8 -> acknowledge();
        case 9 -> save();
        case 10 -> proof.writersNow(ledger.writers());
        default -> crashNowAndThen();
      }
    }

    void finish() {
      ledger.endAll();
      for (int round = 0; round < 60; round++) {
        poll();
        while (!inFlight.isEmpty()) {
          acknowledge();
        }
        save();
      }
    }

    private void poll() {
      Positions flying = positions(inFlight);
      Positions asked = frontier.open().minus(flying);
      List<Long> seen = new ArrayList<>();
      asked.forEach(
          position -> {
            if (ledger.visible().contains(position)) {
              seen.add(position);
            }
          });
      seen.addAll(
          ledger.visible().tailSet(frontier.high(), false).stream()
              .limit(random.nextInt(1, 5))
              .toList());
      if (!seen.isEmpty()) {
        frontier = frontier.readTo(seen.get(seen.size() - 1));
      }
      inFlight.addAll(seen);
      Positions holes = frontier.open().minus(positions(inFlight));
      Positions dead = proof.polled(holes, ledger.snapshot().horizon());
      dead.forEach(position -> assertThat(ledger.mayStillAppear(position)).isFalse());
      dead.forEach(position -> assertThat(ledger.visible()).doesNotContain(position));
      frontier = frontier.settle(dead);
    }

    private void acknowledge() {
      if (!inFlight.isEmpty()) {
        long position = inFlight.remove(random.nextInt(inFlight.size()));
        acknowledged.add(position);
        frontier = frontier.settle(Positions.of(position));
      }
    }

    private void save() {
      saved = frontier;
      proof.saved(ledger.nextTransactionId());
    }

    private void crashNowAndThen() {
      if (random.nextInt(5) == 0) {
        frontier = saved;
        inFlight.clear();
        proof = new HoleProof();
      }
    }

    private static Positions positions(List<Long> list) {
      return Positions.of(list.stream().mapToLong(Long::longValue).toArray());
    }
  }
}
