// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.KnownMessage;
import io.outledger.store.LeaseGrant;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A relay reduced to what it asks of a store: it owns a cursor, or did once. */
final class Owner {

  private final RelayStore store;
  private final UUID incarnation;
  private final Duration lease;
  private final LeaseGrant grant;
  private long n;
  private Frontier frontier;
  private Positions overflow;
  private @Nullable KnownMessage known;

  private Owner(RelayStore store, UUID incarnation, Duration lease, LeaseGrant grant) {
    this.store = store;
    this.incarnation = incarnation;
    this.lease = lease;
    this.grant = grant;
    this.n = grant.n();
    this.frontier = grant.frontier();
    this.overflow = grant.overflow();
    this.known = grant.known();
  }

  /** Takes the lease whoever has it, as the newest row allows. */
  static Owner of(RelayStore store, Duration lease) {
    UUID incarnation = UUID.randomUUID();
    LeaseGrant grant = store.takeOver(store.look(), incarnation, lease, () -> {}).orElseThrow();
    return new Owner(store, incarnation, lease, grant);
  }

  RelayStore store() {
    return store;
  }

  /** Returns the parked messages that are due in any of its routes. */
  List<ParkedMessage> due() {
    return store.due(StoreContractTests.ROUTES, Set.of(), 100);
  }

  UUID incarnation() {
    return incarnation;
  }

  LeaseGrant grant() {
    return grant;
  }

  long n() {
    return n;
  }

  Frontier frontier() {
    return frontier;
  }

  /** Saves and expects it to be saved; returns the transaction id. */
  long save(Frontier next) {
    return saved(next, overflow, List.of(), null);
  }

  long save(ParkedChange... changes) {
    return saved(frontier, overflow, List.of(changes), null);
  }

  /** Ends what an operator has discarded or withdrawn, as a relay does every second. */
  void discardAll() {
    save(
        store.discards(ParkedPlace.FIRST, 1_000).stream()
            .map(
                row ->
                    new ParkedChange.Remove(row.position(), row.route(), row.message().id(), true))
            .toArray(ParkedChange[]::new));
  }

  long saveOverflow(Frontier next, Positions nextOverflow) {
    return saved(next, nextOverflow, List.of(), null);
  }

  private long saved(
      Frontier next,
      Positions nextOverflow,
      List<ParkedChange> changes,
      @Nullable KnownMessage read) {
    SaveOutcome outcome =
        store.save(
            new Save(
                n,
                incarnation,
                grant.server(),
                lease,
                next,
                overflow,
                nextOverflow,
                changes,
                read,
                Set.of()));
    assertThat(outcome).isInstanceOf(SaveOutcome.Saved.class);
    n++;
    frontier = next;
    overflow = nextOverflow;
    return ((SaveOutcome.Saved) outcome).witness();
  }

  /** Saves with a message that was read. */
  void saveKnowing(Frontier next, KnownMessage read) {
    saved(next, overflow, List.of(), read);
    known = read;
  }

  /** Returns the message by which it knows its ledger; null where it knows none. */
  @Nullable KnownMessage known() {
    return known;
  }

  /** Tries to save, as an owner does that does not know it has been succeeded. */
  SaveOutcome trySave(Frontier next, ParkedChange... changes) {
    return store.save(
        new Save(
            n,
            incarnation,
            grant.server(),
            lease,
            next,
            overflow,
            overflow,
            List.of(changes),
            null,
            Set.of()));
  }

  void release() {
    renew(Duration.ZERO);
  }

  void renew(Duration from) {
    SaveOutcome outcome =
        store.save(
            new Save(
                n,
                incarnation,
                grant.server(),
                from,
                frontier,
                overflow,
                overflow,
                List.of(),
                null,
                Set.of()));
    assertThat(outcome).isInstanceOf(SaveOutcome.Saved.class);
    n++;
  }
}
