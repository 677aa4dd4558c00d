// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedChange;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import io.outledger.store.ServerIdentity;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Owns a subscription by hand, for tests of the store: a test says what is settled and when it is
 * saved. It drops no hole; what a relay does is tested with a {@code Relay}.
 */
final class OwnerByHand {

  final UUID incarnation;
  long n;
  Frontier frontier;
  Positions overflow;
  private final RelayStore store;
  private final ServerIdentity server;

  private OwnerByHand(RelayStore store, UUID incarnation, LeaseGrant grant) {
    this.store = store;
    this.incarnation = incarnation;
    this.server = grant.server();
    this.n = grant.n();
    this.frontier = grant.frontier();
    this.overflow = grant.overflow();
  }

  /** Takes the lease at once, whoever has it. */
  static OwnerByHand of(RelayStore store) {
    UUID incarnation = UUID.randomUUID();
    return new OwnerByHand(
        store,
        incarnation,
        store.takeOver(store.look(), incarnation, StoreDatabase.LEASE, () -> {}).orElseThrow());
  }

  UUID incarnation() {
    return incarnation;
  }

  /** Polls once, takes all it sees for settled, and saves that. */
  Page readAndSettle() {
    Page page = store.poll(new PollRequest(frontier.high(), 1000, 1 << 20, frontier.open()));
    frontier =
        frontier
            .readTo(page.readTo())
            .settle(
                Positions.of(
                    page.messages().stream().mapToLong(LedgerMessage::position).toArray()));
    save(List.of(), overflow);
    return page;
  }

  SaveOutcome save(List<ParkedChange> changes, Positions nextOverflow) {
    SaveOutcome outcome =
        store.save(
            new Save(
                n,
                incarnation,
                server,
                StoreDatabase.LEASE,
                frontier,
                overflow,
                nextOverflow,
                changes,
                null,
                Set.of()));
    if (outcome instanceof SaveOutcome.Saved) {
      n++;
      overflow = nextOverflow;
    }
    return outcome;
  }
}
