// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.frontier.Frontier;
import io.outledger.relay.PullJournal;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * Connect's source offsets as the journal of a pull.
 *
 * @param offsets their form
 * @param reader gives Connect's reader of the task's offsets
 * @param isExactlyOnce whether they are committed in one transaction with the records. Else they
 *     follow the records after a while, and only what can be read is durable
 */
record OffsetJournal(
    SlotOffsets offsets, Supplier<OffsetStorageReader> reader, boolean isExactlyOnce)
    implements PullJournal {

  @Override
  public Optional<Entry> load(int slot) {
    return SlotOffsets.entry(reader.get().offset(offsets.partition(slot)));
  }

  @Override
  public Frontier durable(int slot, Entry taken, Frontier handedOut) {
    return isExactlyOnce
        ? handedOut
        : load(slot)
            .filter(kept -> kept.epoch() == taken.epoch())
            .map(Entry::frontier)
            .orElse(taken.frontier());
  }
}
