// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.frontier.Frontier;
import io.outledger.relay.PullJournal;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.jspecify.annotations.Nullable;

/**
 * Connect's source offsets as the journal of a pull. No slot is mirrored beyond what they have, or
 * a message that was parked might be read again by one that takes it for settled.
 *
 * @param offsets their form
 * @param reader gives Connect's reader of the task's offsets
 * @param arrived tells what has arrived of a slot, where offsets are committed in one transaction
 *     with the records; null where they follow after a while, so that only what can be read is
 *     durable
 */
record OffsetJournal(
    SlotOffsets offsets,
    Supplier<OffsetStorageReader> reader,
    @Nullable IntFunction<Optional<PullJournal.Entry>> arrived)
    implements PullJournal {

  @Override
  public Optional<Entry> load(int slot) {
    return SlotOffsets.entry(reader.get().offset(offsets.partition(slot)));
  }

  @Override
  public Frontier durable(int slot, Entry taken, Frontier handedOut) {
    return (arrived == null ? load(slot) : arrived.apply(slot))
        .filter(kept -> kept.epoch() == taken.epoch())
        .map(Entry::frontier)
        .orElse(taken.frontier());
  }
}
