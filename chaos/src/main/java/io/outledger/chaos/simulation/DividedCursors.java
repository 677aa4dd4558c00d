// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.chaos.history.Entry;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.sharing.OldPartitions;
import io.outledger.relay.Slots;
import io.outledger.store.CursorRow;
import io.outledger.store.Division;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Pauses;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.Start;
import io.outledger.testing.ParkedRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a divided subscription: a cursor for each partition, how many there are, and what is
 * noted of a division. Each call is one transaction.
 */
final class DividedCursors {

  static final String SUBSCRIPTION = "work";

  /** An owner is told by the first half of this half of its id. */
  private static final int OWNERS_WORD = 32;

  private final DividedWorld world;
  private int count;
  private @Nullable Division division;
  private long revision;
  private long placed;
  private long publishes;
  private long arrivals;

  DividedCursors(DividedWorld world) {
    this.world = world;
    this.count = world.plan().partitions;
    slots().forEach(slot -> open(slot).look()); // makes them
  }

  /** Returns how many partitions there are. */
  int count() {
    return count;
  }

  IntStream slots() {
    return IntStream.range(0, count);
  }

  /** Opens a store of one partition. */
  RelayStore open(int slot) {
    return world.ledger().relayStore(name(slot), Start.EARLIEST);
  }

  static String name(int slot) {
    return SUBSCRIPTION + "-" + (slot + 1);
  }

  /** Returns the newest row of a partition, which may be one of a number that is gone. */
  CursorRow newest(int slot) {
    return world.ledger().subscription(name(slot)).newest();
  }

  Frontier frontier(int slot) {
    return world.ledger().subscription(name(slot)).frontier();
  }

  private boolean isOwned(int slot) {
    CursorRow newest = newest(slot);
    return !newest.released() && !newest.lapsed();
  }

  /** Returns whether a message is settled in the partition that has its key now. */
  boolean isSettled(long position, Message message) {
    int slot = new Slots(count).of(message);
    return frontier(slot).isSettled(position)
        && parked(slot).noneMatch(row -> row.message().position() == position);
  }

  private Stream<ParkedRow> parked(int slot) {
    return world.ledger().subscription(name(slot)).parked().stream();
  }

  private Stream<ParkedRow> parked() {
    return slots().boxed().flatMap(this::parked);
  }

  /** What is shown of pauses: nothing is paused, and the division is told beside. */
  Pauses pauses() {
    return new Pauses(revision, Map.of(), division);
  }

  /**
   * Returns the newest row as a relay reads it that has so many partitions.
   *
   * @param opened opens its store, where there are as many
   */
  CursorRow look(Supplier<RelayStore> opened, int wanted, int slot) {
    Division now = division;
    if (wanted != count) {
      if (now == null || now.partitions() != wanted) {
        world.note(Happening.OTHER_NUMBER_REFUSED);
        throw new ConfigurationException(
            ErrorCode.OTHER_PARTITIONS, "there are " + count + " partitions and not " + wanted);
      }
      world.note(Happening.NEW_NUMBER_WAITED);
      return CursorRow.toCome("it is being divided into " + wanted);
    }
    CursorRow row = opened.get().look();
    return now != null && frontier(slot).high() >= now.upTo()
        ? row.waiting("it has been read up to where it is divided")
        : row;
  }

  /** Notes that it is not divided, after all. */
  void forgetDivision() {
    division = null;
    revision++;
  }

  /** Takes one step towards another number, and returns whether that is over. */
  boolean divide(int partitions, Planted planted) {
    OldPartitions old = new OldPartitions(slots().mapToObj(this::frontier).toList());
    if (slots().anyMatch(this::isOwned) && planted != Planted.DIVIDED_WITH_AN_OWNER) {
      Division next = new Division(partitions, old.high());
      if (!next.equals(division)) {
        division = next;
        revision++;
        world.tell("operator", () -> "notes " + next);
      }
      world.note(Happening.DIVISION_WAITED);
      return false;
    }
    if (parked().findAny().isPresent()) {
      forgetDivision(); // what is parked is moved by SQL, of which there is none here
      return true;
    }
    world.processes().forEach(DividedProcess::succeeded);
    Positions open = old.open(visible(old.unsettled()));
    note(old, open);
    for (int slot = 0; slot < Math.max(count, partitions); slot++) {
      place(slot, planted(planted, slot, old, open));
    }
    count = partitions;
    forgetDivision();
    world.tell(
        "operator",
        () -> "has divided it into " + partitions + " at " + old.high() + ", open " + open);
    return true;
  }

  private void note(OldPartitions old, Positions open) {
    world.note(Happening.SUBSCRIPTION_DIVIDED);
    if (!open.isEmpty()) {
      world.note(Happening.DIVIDED_WITH_OPEN_POSITIONS);
    }
    if (old.frontiers().stream().anyMatch(each -> each.high() < old.high())) {
      world.note(Happening.DIVIDED_BEHIND_THE_POSITION);
    }
  }

  private List<OldPartitions.Visible> visible(Positions positions) {
    return world.ledger().messages().stream()
        .filter(each -> positions.contains(each.position()))
        .map(DividedCursors::visible)
        .toList();
  }

  private static OldPartitions.Visible visible(LedgerMessage each) {
    return new OldPartitions.Visible(each.position(), each.message().key(), each.message().id());
  }

  /** Returns where a new partition is placed: as it must be, or wrong. */
  private Frontier planted(Planted planted, int slot, OldPartitions old, Positions open) {
    if (planted == Planted.NOT_CUT_AT_ONE_POSITION && slot < old.frontiers().size()) {
      return old.frontiers().get(slot);
    }
    if (planted == Planted.DIVIDED_WITHOUT_HOLES) {
      long[] shown = visible(open).stream().mapToLong(OldPartitions.Visible::position).toArray();
      return new Frontier(old.high(), Positions.of(shown));
    }
    return new Frontier(old.high(), open);
  }

  /** The next row, which fences whoever was the owner, and which nobody owns. */
  private void place(int slot, Frontier frontier) {
    try (RelayStore store = open(slot)) {
      CursorRow row = store.look();
      UUID operator = new UUID(++placed << OWNERS_WORD, 0);
      Optional<LeaseGrant> taken = store.takeOver(row, operator, Duration.ZERO, () -> {});
      LeaseGrant grant = taken.orElseThrow();
      store.save(
          new Save(
              grant.n(),
              operator,
              grant.server(),
              Duration.ZERO,
              frontier,
              grant.overflow(),
              Positions.NONE,
              List.of(),
              grant.known(),
              Set.of()));
      changed(slot, grant.n() + 1, operator);
    }
  }

  /** A row of a partition's cursor was written. */
  void changed(int slot, long n, UUID owner) {
    world.journal().write(new Entry.Changed("cursor " + (slot + 1), n, Words.owner(owner)));
  }

  /** Returns the place of the next message in the destination. */
  long nextArrival() {
    return ++arrivals;
  }

  /** Returns the number of a publish, among all. */
  long nextPublish() {
    return ++publishes;
  }

  /** Writes down what the database holds in the end. */
  void writeEndState() {
    world
        .ledger()
        .messages()
        .forEach(
            each -> world.journal().write(new Entry.Stored(each.message().id(), each.position())));
    long high = slots().mapToObj(this::frontier).mapToLong(Frontier::high).min().orElse(0);
    Positions open =
        slots().mapToObj(slot -> frontier(slot).open()).reduce(Positions.NONE, Positions::union);
    world.journal().write(new Entry.Cursor(high, open));
    parked()
        .forEach(
            row ->
                world.journal().write(new Entry.Parked(row.message().message().id(), false, true)));
  }

  /** Returns whether all that is visible is settled in each partition, and nothing is parked. */
  boolean isDrained() {
    long last =
        world.ledger().messages().stream().mapToLong(LedgerMessage::position).max().orElse(0);
    return parked().findAny().isEmpty()
        && slots().mapToObj(this::frontier).allMatch(f -> f.high() >= last && f.open().isEmpty());
  }
}
