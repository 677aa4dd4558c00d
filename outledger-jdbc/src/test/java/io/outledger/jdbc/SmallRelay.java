// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.HoleProof;
import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedChange;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.ServerIdentity;
import io.outledger.store.Tenure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The least that a relay does: poll, settle what it sees, save, and drop holes proven dead. */
final class SmallRelay {

  final RelayStore store;
  final UUID incarnation;
  final ServerIdentity server;
  final List<String> payloads = new ArrayList<>();
  final List<Long> positions = new ArrayList<>();
  long n;
  Frontier frontier;
  Positions aged;
  private final HoleProof proof = new HoleProof();

  private SmallRelay(RelayStore store, UUID incarnation, Tenure tenure) {
    this.store = store;
    this.incarnation = incarnation;
    this.server = tenure.server();
    this.n = tenure.n();
    this.frontier = tenure.frontier();
    this.aged = tenure.aged();
  }

  /** Takes the lease at once, whoever has it. */
  static SmallRelay on(RelayStore store) {
    UUID incarnation = UUID.randomUUID();
    return new SmallRelay(
        store,
        incarnation,
        store.takeOver(store.look(), incarnation, StoreDatabase.LEASE).orElseThrow());
  }

  /** Polls once and saves what was settled; returns the page. */
  Page step() {
    Page page = store.poll(new PollRequest(frontier.high(), 1000, 1 << 20, frontier.open()));
    Positions before = frontier.open();
    Positions seen =
        Positions.of(page.messages().stream().mapToLong(LedgerMessage::position).toArray());
    for (LedgerMessage message : page.messages()) {
      payloads.add(new String(message.message().payload(), StandardCharsets.UTF_8));
      positions.add(message.position());
    }
    frontier = frontier.readTo(page.readTo()).settle(seen);
    Positions holes = frontier.open().minus(page.withheld());
    Positions dead = proof.polled(holes, page.horizon());
    frontier = frontier.settle(dead);
    if (!frontier.open().equals(before) || !seen.isEmpty() || proof.wantsWitness()) {
      save(List.of(), aged);
    }
    if (proof.wantsWriters()) {
      proof.writersNow(store.writers());
    }
    return page;
  }

  SaveOutcome save(List<ParkedChange> changes, Positions nextAged) {
    return save(changes, nextAged, StoreDatabase.LEASE);
  }

  SaveOutcome save(List<ParkedChange> changes, Positions nextAged, Duration lease) {
    SaveOutcome outcome =
        store.save(new Save(n, incarnation, server, lease, frontier, aged, nextAged, changes));
    if (outcome instanceof SaveOutcome.Saved saved) {
      n++;
      aged = nextAged;
      proof.saved(saved.transactionId());
    }
    return outcome;
  }
}
