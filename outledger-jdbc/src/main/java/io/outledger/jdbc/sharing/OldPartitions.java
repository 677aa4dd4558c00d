// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sharing;

import io.outledger.Require;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.Slots;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a subscription that is divided into another number, once nobody owns one. The
 * new ones are all at one position, the highest that any of the old ones has been read to. Open in
 * each of them is what is not settled: a message is settled if it is in the partition that its key
 * had, and a hole if it is in all of them.
 *
 * @param frontiers that of each, in the order of their slots, with all that is open
 */
public record OldPartitions(List<Frontier> frontiers) {

  /**
   * Copies.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public OldPartitions {
    frontiers = List.copyOf(Require.nonNull("frontiers", frontiers));
  }

  /**
   * A message that is visible in the ledger.
   *
   * @param key as it stands there; null for none
   */
  public record Visible(long position, @Nullable String key, UUID id) {}

  /** Returns the highest position that any of them has been read to; 0 where there is none. */
  public long high() {
    return frontiers.stream().mapToLong(Frontier::high).max().orElse(0);
  }

  /** Returns what any of them has not settled: holes, and messages of whatever partition. */
  public Positions unsettled() {
    Positions unsettled = Positions.NONE;
    for (Frontier each : frontiers) {
      unsettled = unsettled.union(each.readTo(high()).open());
    }
    return unsettled;
  }

  /**
   * Returns what is open in the new ones.
   *
   * @param visible every message that is visible at a position of {@link #unsettled}
   */
  public Positions open(Collection<Visible> visible) {
    Slots slots = new Slots(frontiers.size());
    long[] settled =
        Require.nonNull("visible", visible).stream()
            .filter(
                each -> frontiers.get(slots.of(each.key(), each.id())).isSettled(each.position()))
            .mapToLong(Visible::position)
            .toArray();
    return unsettled().minus(Positions.of(settled));
  }
}
