// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.chaos.history.Entry;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.testing.ParkedRow;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** One way out of a subscription: its broker, the consumer behind it, and its own checker. */
final class SimulatedRoute {

  private final World world;
  private final SimulatedSubscription subscription;
  private final String name;
  private final Journal journal;
  private final ModelBroker broker;
  private final ConsumerProcess consumer;
  private final Set<UUID> sent = new HashSet<>();
  private final Set<UUID> discarded = new HashSet<>();
  private final Copies copies;
  private long sentThoughPaused;

  SimulatedRoute(World world, SimulatedSubscription subscription, String name, Journal journal) {
    this.world = world;
    this.subscription = subscription;
    this.name = name;
    this.journal = journal;
    broker = new ModelBroker(world, this);
    consumer = new ConsumerProcess(world, this);
    copies = new Copies(world, broker);
  }

  SimulatedSubscription subscription() {
    return subscription;
  }

  /** Returns its name, empty for the only one of a subscription. */
  String name() {
    return name;
  }

  Journal journal() {
    return journal;
  }

  ModelBroker broker() {
    return broker;
  }

  ConsumerProcess consumer() {
    return consumer;
  }

  /** Returns what replays have made due in it. */
  Copies copies() {
    return copies;
  }

  /** Returns what is parked in it. */
  List<ParkedRow> parked() {
    return subscription.inLedger().parked().stream()
        .filter(row -> row.message().route().equals(name))
        .toList();
  }

  /** Returns whether a message that was sent may be sent again, as the database has it. */
  boolean isUnsettled(long position) {
    return !subscription.inLedger().frontier().isSettled(position)
        || parked().stream().anyMatch(row -> row.message().position() == position);
  }

  /** What was sent, and whose fate nobody knows any more, may arrive once more. */
  void mayRepeat(String why, Collection<UUID> ids) {
    if (!ids.isEmpty()) {
      journal.write(new Entry.Crashed(why, ids.size()));
      ids.forEach(id -> journal.write(new Entry.MayRepeat(id)));
    }
  }

  /** What was sent is sent again, and what had died or was discarded gets another chance, late. */
  void movesBack(long from) {
    List<UUID> again =
        world.ledger().messages().stream()
            .filter(m -> m.position() >= from)
            .map(m -> m.message().id())
            .filter(this::wasSent)
            .toList();
    mayRepeat("move back", again);
    excuseDeadLetters();
  }

  /** Copies that a move has taken back are expected no more. */
  void wasMoved() {
    copies.keepOnly(parkedPlaces());
  }

  private Set<ParkedPlace> parkedPlaces() {
    return parked().stream().map(row -> ParkedPlace.of(row.message())).collect(Collectors.toSet());
  }

  /** Each of these comes once more; one that never came before comes late. */
  void replays(List<ParkedRow> made) {
    mayRepeat("replay", made.stream().map(row -> row.message().message().id()).toList());
    for (ParkedRow row : made) {
      copies.made(ParkedPlace.of(row.message()));
      if (broker.count(row.message().message().id()) == 0) {
        world.note(Happening.DEAD_LETTER_REPLAYED);
        journal.write(new Entry.Released(row.message().message().id()));
      }
    }
  }

  void discarded(UUID id) {
    discarded.add(id);
    journal.write(new Entry.Discarded(id));
  }

  /** What had died, or was discarded, may now be published after all, late. */
  void excuseDeadLetters() {
    for (ParkedRow row : parked()) {
      if (row.message().state() == ParkedState.DEAD) {
        journal.write(new Entry.Released(row.message().message().id()));
      }
    }
    discarded.forEach(id -> journal.write(new Entry.Released(id)));
  }

  /**
   * Takes note of what arrives. What its owner had sent before it was frozen or died may get
   * through after a successor has given the message up and its key has gone on: nobody can call it
   * back.
   */
  void arrives(UUID id) {
    boolean isDead =
        parked().stream()
            .map(ParkedRow::message)
            .anyMatch(row -> row.state() == ParkedState.DEAD && row.message().id().equals(id));
    if (isDead || discarded.contains(id)) {
      journal.write(new Entry.Released(id));
    }
  }

  boolean wasSent(UUID id) {
    return sent.contains(id);
  }

  void sends(UUID id) {
    sent.add(id);
  }

  /** An owner that knew of a pause sent what is paused. */
  void sentThoughPaused() {
    sentThoughPaused++;
  }

  void stored(LedgerMessage one) {
    journal.write(new Entry.Stored(one.message().id(), one.position()));
  }

  /** Returns whether everything that is parked waits for a person. */
  boolean isDrained() {
    List<ParkedRow> parked = parked();
    return consumer.isDone() && parked.stream().allMatch(row -> isAtItsEnd(row, parked));
  }

  private static boolean isAtItsEnd(ParkedRow row, List<ParkedRow> parked) {
    if (row.message().state() == ParkedState.DEAD) {
      return row.request() == ParkedRow.Request.NONE;
    }
    String key = row.message().message().key();
    return parked.stream()
        .map(ParkedRow::message)
        .anyMatch(
            other ->
                other.state() == ParkedState.DEAD
                    && other.blocks()
                    && key != null
                    && key.equals(other.message().key()));
  }

  void writeEndState() {
    consumer.writeEndState();
    journal.write(new Entry.Left("messages sent though paused", sentThoughPaused, 0));
    journal.write(copies.figure(parkedPlaces()));
    if (subscription.isDeleted()) {
      return; // with its cursor, and with what was parked
    }
    for (ParkedRow row : parked()) {
      ParkedMessage message = row.message();
      boolean isDead = message.state() == ParkedState.DEAD;
      journal.write(new Entry.Parked(message.message().id(), isDead, message.blocks()));
    }
    journal.write(
        new Entry.Cursor(
            subscription.inLedger().frontier().high(), subscription.inLedger().frontier().open()));
  }

  /** Returns the subscription's name, with the route's where it has one. */
  @Override
  public String toString() {
    return name.isEmpty() ? subscription.toString() : subscription + "/" + name;
  }
}
