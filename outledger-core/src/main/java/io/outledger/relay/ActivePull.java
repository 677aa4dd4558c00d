// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.reading.Progress;
import io.outledger.relay.reading.Reading;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.KnownMessage;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedChange;
import io.outledger.store.Pauses;
import io.outledger.store.SaveOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A pull's time as the owner of its slots. All slots are read by the same polls: one frontier tells
 * what is open in any of them, and each slot's own is that, without what had arrived in the slot
 * when it was taken. Between two pages nothing is in flight, so what stays open are holes.
 */
final class ActivePull {

  private static final Duration MIRROR_EVERY = Duration.ofSeconds(1);
  private static final Duration PAUSED = Duration.ofMillis(500);
  private static final Duration REQUESTS_EVERY = Duration.ofMillis(750);

  private final RelayContext context;
  private final Slots slots;
  private final NavigableMap<Integer, PulledSlot> mine;
  private final PulledSlot lead;
  private final PullJournal journal;
  private final Declaring declaring;
  private final PollPace pace;
  private Progress progress;
  private Reading reading;
  private Pauses pauses = Pauses.NONE;
  private long declared = -1;
  private List<LedgerMessage> messages = List.of();
  private final List<LedgerMessage> wanted = new ArrayList<>();
  private Positions handedOut = Positions.NONE;
  private long requestsAt;
  private int published;
  private boolean hasRead;
  private boolean more;

  ActivePull(
      RelayContext context,
      Slots slots,
      NavigableMap<Integer, PulledSlot> mine,
      PullJournal journal,
      Declaring declaring) {
    this.context = context;
    this.slots = slots;
    this.mine = mine;
    this.lead = mine.firstEntry().getValue();
    this.journal = journal;
    this.declaring = declaring;
    this.pace = new PollPace(context.options(), context.time().nanoTime());
    this.requestsAt = context.time().nanoTime();
    this.progress = progress(merged(), known());
    this.reading = reading();
  }

  /** Returns what any slot may lack, up to where the first of them is. */
  private Frontier merged() {
    long high =
        mine.values().stream().mapToLong(slot -> slot.from().frontier().high()).max().orElseThrow();
    Positions open = Positions.NONE;
    for (PulledSlot slot : mine.values()) {
      open = open.union(slot.from().frontier().readTo(high).open());
    }
    return new Frontier(high, open);
  }

  private @Nullable KnownMessage known() {
    return mine.values().stream()
        .map(slot -> slot.from().known())
        .filter(Objects::nonNull)
        .max(Comparator.comparingLong(KnownMessage::position))
        .orElse(null);
  }

  private Progress progress(Frontier frontier, @Nullable KnownMessage known) {
    LeaseGrant grant =
        new LeaseGrant(
            lead.n(), frontier, Positions.NONE, List.of(), List.of(), lead.server(), known);
    return new Progress(grant, context.options());
  }

  private Reading reading() {
    return new Reading(lead.store(), context, progress, lead.n(), this::confirm);
  }

  /** What the journal knows may be of a ledger that is there no more: the first page tells. */
  private Optional<String> confirm(Page page) {
    Optional<String> reason = lead.endedBy(page);
    if (!hasRead && reason.isPresent() && page.server().ledger() == null) {
      throw new ConfigurationException(
          ErrorCode.LEDGER_BEHIND_CURSOR,
          "the ledger does not have the last message that the source offsets name, "
              + progress.known()
              + ", and retention has not removed it: the ledger was emptied, or restored to an"
              + " earlier state. Nothing is read until an operator decides from where on: move the"
              + " subscription back there, or skip to there, which the source offsets then follow");
    }
    hasRead = true;
    return reason;
  }

  /** Returns whether something was handed out and has not arrived yet. */
  boolean hasHandedOut() {
    return !messages.isEmpty();
  }

  /** Reads the next messages. */
  Ownership step() {
    messages = List.of();
    more = false;
    return finishReading().then(this::mirror).then(this::lookAfter).then(this::fetch);
  }

  /** Has nothing read over the slots' connection from now on, until the next step. */
  Ownership finishReading() {
    return checkLease().then(() -> Ownership.unless(reading.finish()));
  }

  /** Returns what {@link #step} has read. */
  List<LedgerMessage> messages() {
    return messages;
  }

  /** Returns how far each slot is once what was read has arrived. */
  Map<Integer, PullJournal.Entry> after() {
    Frontier all = progress.frontier().settle(handedOut);
    Map<Integer, PullJournal.Entry> after = new TreeMap<>();
    mine.forEach((number, slot) -> after.put(number, slot.after(all, progress.known())));
    return after;
  }

  Duration pause() {
    if (!pauses.current().isEmpty()) {
      return PAUSED;
    }
    boolean isAtWork = more || !messages.isEmpty() || looksAgain();
    return isAtWork ? Duration.ZERO : pace.next(context.time().nanoTime());
  }

  /** Takes it that all that was handed out has arrived. */
  void committed() {
    published += messages.size();
    messages = List.of();
    mine.values().forEach(slot -> slot.retries().committed());
    progress.settled(handedOut);
    handedOut = Positions.NONE;
  }

  private Ownership checkLease() {
    return mine.values().stream().allMatch(PulledSlot::isValid)
        ? Ownership.Held.IT
        : new Ownership.Lost("the lease has expired");
  }

  /** Writes the rows that are due: to renew a lease, for a proof, or since they are behind. */
  private Ownership mirror() {
    long now = context.time().nanoTime();
    Ownership ownership = Ownership.Held.IT;
    for (Map.Entry<Integer, PulledSlot> each : mine.entrySet()) {
      PulledSlot slot = each.getValue();
      boolean isDue =
          slot.renewalIsDue()
              || (slot == lead && reading.wantsSave())
              || !slot.retries().changes().isEmpty()
              || slot.isBehind(reached(each.getKey()).frontier(), now, MIRROR_EVERY);
      if (isDue) {
        ownership = ownership.then(() -> save(each.getKey(), context.options().lease(), List.of()));
      }
    }
    return ownership;
  }

  /** Returns how far a slot is, without what was handed out and has not arrived. */
  PullJournal.Entry reached(int slot) {
    return slot(slot).reached(progress.frontier(), progress.known());
  }

  /** Returns how far a slot is in the journal. */
  private Frontier durable(int number) {
    return journal.durable(number, slot(number).from(), reached(number).frontier());
  }

  private PulledSlot slot(int number) {
    return Objects.requireNonNull(mine.get(number));
  }

  private Ownership save(int number, Duration lease, List<ParkedChange> changes) {
    PulledSlot slot = slot(number);
    PullJournal.Entry reached = reached(number);
    PullJournal.Entry mirror =
        new PullJournal.Entry(
            reached.epoch(), reached.ledger(), durable(number), reached.known(), Set.of());
    List<ParkedChange> all = new ArrayList<>(slot.retries().changes());
    all.addAll(changes);
    Optional<SaveOutcome.Saved> saved = slot.save(mirror, all, lease, context);
    if (saved.isEmpty()) {
      return new Ownership.Lost(
          "somebody else took the lease, or a different server or ledger answered");
    }
    slot.retries().saved();
    if (slot == lead) {
      progress.saved(progress.nextOverflow(), saved.get().witness());
      reading.saved();
      context.listener().on(new RelayEvent.Saved(mirror.frontier(), published, 0));
      published = 0;
    } else {
      slot.purge(); // that of the lead is a part of reading's housekeeping
    }
    return Ownership.Held.IT;
  }

  private Ownership lookAfter() {
    reading.keepHouse(lead.n());
    long now = context.time().nanoTime();
    if (now - requestsAt >= 0 && pauses.current().isEmpty()) {
      Frontier read = progress.frontier();
      Set<Integer> withWork = lead.store().slotsWithWork(mine.keySet());
      mine.forEach(
          (number, slot) -> {
            if (withWork.contains(number) || slot.retries().mustLook()) {
              wanted.addAll(slot.look(read, () -> durable(number)));
            }
          });
      requestsAt = looksAgain() ? now : now + REQUESTS_EVERY.toNanos();
    }
    return Ownership.Held.IT;
  }

  private boolean looksAgain() {
    return mine.values().stream().anyMatch(slot -> slot.retries().hasFound());
  }

  private Ownership fetch() {
    if (!pauses.current().isEmpty()) {
      learnPauses();
    }
    if (!pauses.current().isEmpty()) {
      return Ownership.Held.IT;
    }
    Reading.Outcome outcome = reading.next();
    if (outcome instanceof Reading.Outcome.NotOurs ended) {
      return new Ownership.Lost(ended.reason());
    }
    if (outcome instanceof Reading.Outcome.Read read) {
      return take(read.page());
    }
    return Ownership.Held.IT;
  }

  private Ownership take(Page page) {
    if (page.paused() != pauses.revision() || page.declared() != declared) {
      Ownership whenRead = Ownership.unless(reading.finish());
      if (!(whenRead instanceof Ownership.Held)) {
        return whenRead;
      }
      learnPauses();
      requireDeclared(page.declared());
    }
    if (!pauses.current().isEmpty()) {
      readAgain();
      return Ownership.Held.IT;
    }
    List<LedgerMessage> taken = new ArrayList<>();
    for (LedgerMessage message : page.messages()) {
      PulledSlot slot = mine.get(slots.of(message.message()));
      if (slot != null && !slot.isDone(message)) {
        taken.add(message);
      }
    }
    Positions read = positions(page.messages());
    handedOut = taken.size() == page.messages().size() ? read : positions(taken);
    addWanted(taken);
    messages = List.copyOf(taken);
    progress.settled(read.minus(handedOut));
    more = page.more() || reading.hasNext();
    if (!page.messages().isEmpty()) {
      pace.came(context.time().nanoTime());
    }
    return Ownership.Held.IT;
  }

  /**
   * One that was parked and did not arrive is both read and wanted: it is sent once, and its row is
   * taken away. Another one of its position is not: it is of a ledger that was emptied.
   */
  private void addWanted(List<LedgerMessage> taken) {
    if (!wanted.isEmpty()) {
      Set<KnownMessage> read = taken.stream().map(ActivePull::known).collect(Collectors.toSet());
      wanted.stream().filter(each -> !read.contains(known(each))).forEach(taken::add);
      wanted.clear();
    }
  }

  static KnownMessage known(LedgerMessage read) {
    return new KnownMessage(read.position(), read.message().id());
  }

  private static Positions positions(List<LedgerMessage> messages) {
    return Positions.of(messages.stream().mapToLong(LedgerMessage::position).toArray());
  }

  private void learnPauses() {
    Pauses now = lead.store().pauses();
    if (now.revision() != pauses.revision()) {
      context.listener().on(new RelayEvent.PausesChanged(Set.copyOf(now.current().values())));
    }
    pauses = now;
  }

  /** Forgets what was read, so that it is open and read again. */
  private void readAgain() {
    wanted.clear();
    mine.values().forEach(slot -> slot.retries().forget());
    reading.end();
    progress = progress(progress.frontier(), progress.known());
    reading = reading();
  }

  /** Messages that are meant for a route or a handler alone must not be taken for settled. */
  private void requireDeclared(long revision) {
    Set<Declaration> lacked =
        lead.store().declarations().current().keySet().stream()
            .filter(each -> !declaring.covers(each))
            .collect(Collectors.toSet());
    if (!lacked.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "instances of the application have declared "
              + lacked
              + " for this subscription, which only they have: take a subscription of its own, or"
              + " end the declarations");
    }
    declared = revision;
  }

  /**
   * Parks messages of what was read, before it is sent: with a frontier at which they are open.
   * Where there is none, what is read ahead goes on meanwhile.
   *
   * @param changes by slot
   */
  Ownership park(Map<Integer, List<ParkedChange>> changes) {
    if (changes.isEmpty()) {
      return checkLease();
    }
    Ownership ownership = Ownership.unless(reading.finish());
    for (Map.Entry<Integer, List<ParkedChange>> each : changes.entrySet()) {
      slot(each.getKey()).retries().parked(each.getValue());
      ownership =
          ownership.then(() -> save(each.getKey(), context.options().lease(), each.getValue()));
    }
    return ownership;
  }

  /** Gives all leases back; they are held no longer where this succeeds. */
  Ownership release() {
    Ownership ownership = Ownership.unless(reading.finish());
    for (int number : mine.keySet()) {
      ownership = ownership.then(() -> save(number, Duration.ZERO, List.of()));
    }
    return ownership;
  }

  /** Ends all reading. */
  void end() {
    reading.end();
  }
}
