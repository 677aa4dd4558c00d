// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.OutledgerException;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.Pull;
import io.outledger.relay.PullJournal;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Source offsets that an operator wants to set. One of another epoch than the subscription's would
 * be passed over by the task, so it is refused where the operator sees it.
 *
 * @param options of the connector
 * @param entries the offsets by slot; those that are to be deleted are not among them
 */
record OffsetChange(ConnectorOptions options, Map<Integer, PullJournal.Entry> entries) {

  private static final PullJournal NOTHING_KEPT = slot -> Optional.empty();

  /**
   * Reads a change.
   *
   * @throws ConnectException if a partition or an offset does not have the form
   */
  static OffsetChange of(ConnectorOptions options, Map<Map<String, ?>, Map<String, ?>> offsets) {
    Map<Integer, PullJournal.Entry> entries = new TreeMap<>();
    offsets.forEach(
        (partition, offset) -> {
          if (offset != null) { // or it is to be deleted, as those of a former number of slots
            int slot = slot(options.offsets(), partition);
            SlotOffsets.entry(offset).ifPresent(entry -> entries.put(slot, entry));
          }
        });
    return new OffsetChange(options, entries);
  }

  private static int slot(SlotOffsets form, Map<String, ?> partition) {
    return IntStream.range(0, form.slots().count())
        .filter(slot -> form.partition(slot).equals(partition))
        .findFirst()
        .orElseThrow(
            () ->
                new ConnectException(
                    "the source partition "
                        + partition
                        + " is none of this connector's: they are such as "
                        + form.partition(0)));
  }

  /**
   * Compares the epochs with those of the subscription.
   *
   * @throws ConnectException if one is another, or the database cannot be read
   */
  void requireThatItCounts() {
    if (!entries.isEmpty()) {
      epochs().forEach(this::require);
    }
  }

  private Map<Integer, Long> epochs() {
    try (Outledger outledger =
            options.ledger(options.dataSource(), "connect, offsets").withoutRetention().build();
        Pull pull =
            outledger
                .pull(options.subscription())
                .slots(options.slots(), entries.keySet())
                .from(options.start())
                .build(NOTHING_KEPT)) {
      return pull.epochs();
    } catch (OutledgerException e) {
      throw new ConnectException(
          "the source offsets were not set, since their epochs cannot be compared with the"
              + " subscription's: "
              + e.getMessage(),
          e);
    }
  }

  private void require(int slot, long epoch) {
    long wanted = Objects.requireNonNull(entries.get(slot)).epoch();
    if (epoch == 0) {
      throw new ConnectException(
          "no source offset of "
              + options.offsets().partition(slot)
              + " would count: the connector has not read the subscription yet, or an operator has"
              + " moved it or a relay read it since. Let the connector run once, or move the"
              + " subscription instead");
    }
    if (wanted != epoch) {
      throw new ConnectException(
          "the source offset of "
              + options.offsets().partition(slot)
              + " has the epoch "
              + wanted
              + ", and the subscription is in epoch "
              + epoch
              + ": it would not count. Keep the epoch, or move the subscription instead");
    }
  }
}
