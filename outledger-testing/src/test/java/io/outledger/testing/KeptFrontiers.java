// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.frontier.Frontier;
import io.outledger.relay.PullJournal;
import io.outledger.relay.Pulled;
import io.outledger.relay.Slots;
import io.outledger.store.LedgerMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** An engine's transactions: what has arrived, and with it the frontiers of the slots. */
final class KeptFrontiers implements PullJournal {

  private final Slots slots;
  private final Map<Integer, Entry> entries = new HashMap<>();
  private final List<LedgerMessage> arrived = new ArrayList<>();

  KeptFrontiers(Slots slots) {
    this.slots = slots;
  }

  @Override
  public Optional<Entry> load(int slot) {
    return Optional.ofNullable(entries.get(slot));
  }

  @Override
  public Frontier durable(int slot, Entry taken, Frontier handedOut) {
    return load(slot)
        .filter(kept -> kept.epoch() == taken.epoch())
        .map(Entry::frontier)
        .orElse(taken.frontier());
  }

  /** Commits what was pulled, with the frontiers of the slots of its messages. */
  void commit(Pulled pulled) {
    arrived.addAll(pulled.messages());
    for (LedgerMessage message : pulled.messages()) {
      int slot = slots.of(message.message());
      entries.put(slot, Objects.requireNonNull(pulled.after().get(slot)));
    }
  }

  /** Commits the frontiers alone. */
  void heartbeat(Pulled pulled) {
    heartbeat(pulled.after());
  }

  /** The same with other ones. */
  void heartbeat(Map<Integer, Entry> after) {
    entries.putAll(after);
  }

  void forget() {
    entries.clear();
  }

  List<LedgerMessage> arrived() {
    return arrived;
  }
}
