// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Slots;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How far the cursor's row may follow, by what Connect has made durable. */
class OffsetJournalTest {

  private static final Frontier HANDED_OUT = new Frontier(30, Positions.NONE);

  private final SlotOffsets offsets = new SlotOffsets("shop", "kafka", new Slots(1));
  private final KeptOffsets kept = new KeptOffsets();
  private final PullJournal.Entry taken = entry(2, 10);

  private static PullJournal.Entry entry(long epoch, long high) {
    return new PullJournal.Entry(epoch, null, new Frontier(high, Positions.NONE), null, Set.of());
  }

  private Frontier durable(PullJournal.@Nullable Entry arrived) {
    return new OffsetJournal(offsets, () -> kept, slot -> Optional.ofNullable(arrived))
        .durable(0, taken, HANDED_OUT);
  }

  private Frontier durable() {
    return new OffsetJournal(offsets, () -> kept, null).durable(0, taken, HANDED_OUT);
  }

  /** What was handed out without a record, as where all of it was parked, has not. */
  @Test
  void withExactlyOnceWhatHasArrivedIsDurable() {
    assertThat(durable(null)).isEqualTo(taken.frontier());
    assertThat(durable(entry(2, 20))).isEqualTo(new Frontier(20, Positions.NONE));
    assertThat(durable(entry(1, 25))).isEqualTo(taken.frontier());
  }

  @Test
  void withoutItOnlyWhatConnectHasStored() {
    assertThat(durable()).isEqualTo(taken.frontier());
    kept.keep(offsets.partition(0), entry(2, 20));
    assertThat(durable()).isEqualTo(new Frontier(20, Positions.NONE));
  }

  /** An operator has moved the subscription back, and Connect has stored nothing since. */
  @Test
  void anOffsetOfAnotherEpochSaysNothing() {
    kept.keep(offsets.partition(0), entry(1, 25));
    assertThat(durable()).isEqualTo(taken.frontier());
  }
}
