// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.relay.context.RelayContext;
import io.outledger.store.CursorRow;
import io.outledger.store.Declaring;
import io.outledger.store.KnownMessage;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedChange;
import io.outledger.store.RelayStore;
import io.outledger.store.SaveOutcome;
import io.outledger.store.ServerIdentity;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A slot that is pulled: its cursor with lease and mirror, and the frontier that it was taken with.
 * What is settled by that frontier has arrived and is not handed out again, whatever is open in
 * other slots of the same pull.
 */
final class PulledSlot {

  private static final Logger LOG = LoggerFactory.getLogger(PulledSlot.class);
  private static final long PURGE_SAVES = 1_000;
  private static final long ABOVE_ALL = Long.MAX_VALUE - 1;

  private final int number;
  private final RelayStore store;
  private final LeaseWatcher watcher = new LeaseWatcher();
  private @Nullable CursorRow seen;
  private @Nullable Held held;
  private @Nullable Left left;

  PulledSlot(int number, RelayStore store) {
    this.number = number;
    this.store = store;
  }

  /** What is known while the lease is held. */
  private static final class Held {
    private final OwnCursor cursor;
    private final LeaseClock clock;
    private final PullJournal.Entry from;
    private final Positions unsettled;
    private final PulledRetries retries;
    private final Set<KnownMessage> parked;
    private Positions overflow;
    private Frontier saved;
    private long savedAt;
    private long purgedTo;

    private Held(OwnCursor cursor, LeaseClock clock, PullJournal.Entry from, LeaseGrant grant) {
      this.cursor = cursor;
      this.clock = clock;
      this.from = from;
      this.unsettled =
          from.frontier().open().union(Positions.range(from.frontier().high() + 1, ABOVE_ALL));
      this.retries = new PulledRetries(from.sent());
      this.parked =
          grant.parked().stream()
              .filter(place -> place.route().isEmpty())
              .map(place -> new KnownMessage(place.position(), place.id()))
              .collect(Collectors.toUnmodifiableSet());
      this.overflow = grant.overflow();
      this.saved = grant.frontier();
      this.purgedTo = grant.n();
    }
  }

  /** How far it was when the lease was held last; as long as nobody else has written the row. */
  private record Left(UUID incarnation, PullJournal.Entry reached) {}

  private Held held() {
    return Objects.requireNonNull(held);
  }

  RelayStore store() {
    return store;
  }

  /** Looks at the cursor's row, and returns whether its lease may be taken. */
  boolean lookWhetherFree(Declaring own, long now) {
    CursorRow row = store.look();
    seen = row;
    return watcher.observe(row, own, now);
  }

  /**
   * Returns whether the row that was seen is the one that this has written, so that it was held.
   */
  boolean wasHeld() {
    return left != null && seen != null && left.incarnation().equals(seen.incarnation());
  }

  /** Returns whether it was seen free all the time, and now, for at least so long. */
  boolean hasBeenFreeFor(Duration duration, long now) {
    return watcher.freeFor(now).compareTo(duration) >= 0;
  }

  /**
   * Takes the lease of the row that was seen. What is kept of the row's own epoch is the truth.
   * Where it is of another one, an operator has moved the row since, or somebody else has read the
   * subscription, whose place the row tells and this journal does not: then the row is the truth,
   * and begins an epoch.
   *
   * @return whether nobody was faster
   * @throws ConfigurationException {@code OUT-007} if the row is older than what is kept
   */
  boolean take(PullJournal journal, RelayContext context) {
    CursorRow row = Objects.requireNonNull(seen);
    Optional<PullJournal.Entry> kept = kept(journal);
    requireNoneIsNewer(row, kept);
    Optional<PullJournal.Entry> same =
        kept.filter(
            each ->
                PullOwner.of(row.incarnation()).equals(Optional.of(new PullOwner(each.epoch()))));
    if (kept.isPresent() && same.isEmpty()) {
      LOG.info(
          "slot {} continues from the row of its cursor: an operator has moved it, or somebody else"
              + " has read the subscription, after epoch {}, which the source offset is of",
          number,
          kept.get().epoch());
    }
    long epoch = same.map(PullJournal.Entry::epoch).orElse(row.n() + 1);
    UUID incarnation = new PullOwner(epoch).incarnation(context.random().nextLong());
    AtomicLong askedAt = new AtomicLong(context.time().nanoTime());
    Duration lease = context.options().lease();
    Optional<LeaseGrant> grant =
        store.takeOver(row, incarnation, lease, () -> askedAt.set(context.time().nanoTime()));
    if (grant.isPresent()) {
      LeaseGrant got = grant.get();
      LeaseClock clock = new LeaseClock(context.time(), lease, askedAt.get());
      Held now =
          new Held(new OwnCursor(store, incarnation, got), clock, from(got, epoch, same), got);
      now.savedAt = askedAt.get();
      held = now;
    }
    return grant.isPresent();
  }

  /** Where the row is one's own still, one knows more than what has become durable elsewhere. */
  private Optional<PullJournal.Entry> kept(PullJournal journal) {
    return wasHeld() ? Optional.ofNullable(left).map(Left::reached) : journal.load(number);
  }

  /** Numbers of rows only grow, also over moves, renames and deletions. */
  private static void requireNoneIsNewer(CursorRow row, Optional<PullJournal.Entry> kept) {
    if (kept.isPresent() && kept.get().epoch() > row.n()) {
      throw new ConfigurationException(
          ErrorCode.LEDGER_BEHIND_CURSOR,
          "the source offset is of epoch "
              + kept.get().epoch()
              + ", and the subscription's cursor is at row "
              + row.n()
              + " only: the database is another one, or was restored to a state before it, or the"
              + " offset was altered. Nothing is read until an operator decides: delete the"
              + " source offsets to begin where the cursor is, which may be moved before");
    }
  }

  private static PullJournal.Entry from(
      LeaseGrant grant, long epoch, Optional<PullJournal.Entry> same) {
    String ledger = grant.server().ledger();
    PullJournal.Entry entry =
        same.orElse(
            new PullJournal.Entry(epoch, ledger, grant.frontier(), grant.known(), Set.of()));
    return new PullJournal.Entry(epoch, ledger, entry.frontier(), entry.known(), entry.sent());
  }

  /** Returns how far it was when the lease was taken. */
  PullJournal.Entry from() {
    return held().from;
  }

  ServerIdentity server() {
    return held().cursor.server();
  }

  UUID incarnation() {
    return held().cursor.incarnation();
  }

  /** Returns whether the message at a position had arrived when the lease was taken. */
  private boolean isSettled(long position) {
    return held().from.frontier().isSettled(position);
  }

  /**
   * Returns whether a message that is read is not to be handed out: it had arrived when the lease
   * was taken, or was parked and comes back from its row alone.
   */
  boolean isDone(LedgerMessage read) {
    Set<KnownMessage> parked = held().parked;
    return isSettled(read.position())
        || (!parked.isEmpty() && parked.contains(ActivePull.known(read)));
  }

  /** Returns whether a row's message is still to be read, so that the row must stay until then. */
  private boolean isUnread(KnownMessage message, Frontier all) {
    return held().parked.contains(message)
        && !isSettled(message.position())
        && !all.isSettled(message.position());
  }

  /**
   * Returns how far it is once all that was handed out has arrived.
   *
   * @param all the frontier of all slots of the pull
   * @param known the last message that was read
   */
  PullJournal.Entry after(Frontier all, @Nullable KnownMessage known) {
    return entry(all, known, held().retries.sent());
  }

  /** Returns how far it is, without what was handed out and may not arrive. */
  PullJournal.Entry reached(Frontier all, @Nullable KnownMessage known) {
    return entry(all, known, held().retries.arrived());
  }

  private PullJournal.Entry entry(
      Frontier all, @Nullable KnownMessage known, Set<PullJournal.SentRow> sent) {
    PullJournal.Entry from = held().from;
    Positions open = all.open().intersection(held().unsettled);
    return new PullJournal.Entry(
        from.epoch(), from.ledger(), new Frontier(all.high(), open), known, sent);
  }

  /**
   * Looks for requests; returns the messages that are to be sent.
   *
   * @param all the frontier of all slots of the pull
   * @param durable tells this slot's in the journal
   */
  List<LedgerMessage> look(Frontier all, Supplier<Frontier> durable) {
    return held().retries.look(store, message -> isUnread(message, all), durable);
  }

  PulledRetries retries() {
    return held().retries;
  }

  boolean isValid() {
    return held().clock.isValid();
  }

  boolean renewalIsDue() {
    return held().clock.renewalIsDue();
  }

  /** Returns whether the mirror is to be written: it is another one, and the last is old enough. */
  boolean isBehind(Frontier frontier, long now, Duration after) {
    return !held().saved.equals(frontier) && now - held().savedAt >= after.toNanos();
  }

  long n() {
    return held().cursor.n();
  }

  /** Returns what has ended the ownership, by a page. */
  Optional<String> endedBy(Page page) {
    return held().cursor.endedBy(page);
  }

  /** Writes the mirror, and so renews the lease; returns empty where somebody else owns it. */
  Optional<SaveOutcome.Saved> save(
      PullJournal.Entry mirror, List<ParkedChange> changes, Duration lease, RelayContext context) {
    Held now = held();
    long askedAt = context.time().nanoTime();
    Positions overflow = now.overflow.intersection(mirror.frontier().open());
    OwnCursor.Place place =
        new OwnCursor.Place(mirror.frontier(), now.overflow, overflow, mirror.known());
    Optional<SaveOutcome.Saved> saved = now.cursor.save(lease, place, changes, Set.of());
    if (saved.isPresent()) {
      now.clock.renewed(askedAt);
      now.overflow = overflow;
      now.saved = mirror.frontier();
      now.savedAt = askedAt;
    }
    return saved;
  }

  /** Removes old rows of the cursor where there are many. */
  void purge() {
    long n = n();
    if (n - held().purgedTo >= PURGE_SAVES) {
      held().purgedTo = n;
      store.purgeCursor(n);
    }
  }

  /**
   * Forgets the lease, which this may take again at once where nobody else has.
   *
   * @param reached how far it was; null where it has read nothing
   */
  void drop(PullJournal.@Nullable Entry reached) {
    Held before = held;
    held = null;
    if (before != null) {
      UUID incarnation = before.cursor.incarnation();
      left = new Left(incarnation, reached == null ? before.from : reached);
      watcher.ended(incarnation);
    }
  }
}
