// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.context.Wakeup;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.store.ParkedChange;
import io.outledger.store.RelayStore;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a subscription's next messages for an engine that sends them itself and keeps the frontier
 * with them, in one transaction. It reads and tracks holes as a {@link Relay} does, and has no
 * routes. The {@link PullJournal} is the truth; the cursor's row is a mirror of it, for the proof
 * of dead holes, the retention and the views, and the way by which an operator moves the
 * subscription.
 *
 * <p>Its slots share all polls. Only one pull, or relay, owns a slot at a time; the others stand
 * by. It never sleeps or starts a thread. Used by one thread.
 *
 * <p>After a crash at any point, what the journal has not kept is handed out again, and nothing
 * else.
 */
public final class Pull implements AutoCloseable {

  private static final Duration STANDBY_POLL_MAX = Duration.ofMillis(500);
  private static final Backoff RECOVERY =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

  private final Slots slots;
  private final NavigableMap<Integer, PulledSlot> mine = new TreeMap<>();

  /** Those whose leases are held; not all, where others stayed free for too long. */
  private final NavigableMap<Integer, PulledSlot> taken = new TreeMap<>();

  private final PullJournal journal;
  private final RelayContext context;
  private final Declaring declaring;
  private final FreeSlots free;
  private @Nullable ActivePull active;
  private boolean declared;
  private boolean standsBy;
  private boolean closed;
  private int failures;

  /**
   * What a pull has.
   *
   * @param slots how many slots the subscription has in all
   * @param stores those that are pulled here, at least one, each with the store of its cursor,
   *     which the pull closes
   * @param journal where the frontiers are kept
   */
  public record Parts(Slots slots, Map<Integer, RelayStore> stores, PullJournal journal) {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} if something is null, or no slot is pulled, or
     *     one that there is not
     */
    public Parts {
      Require.nonNull("slots", slots);
      Require.nonNull("stores", stores);
      Require.nonNull("journal", journal);
      if (stores.isEmpty()
          || stores.keySet().stream().anyMatch(each -> each < 0 || each >= slots.count())) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION,
            "the slots "
                + stores.keySet()
                + " are not of the "
                + slots.count()
                + " that there are");
      }
      stores = Map.copyOf(stores);
    }
  }

  /**
   * Makes a pull, without I/O.
   *
   * @param options how it reads; retries, outages, breakers and transforms are not used
   * @param listener hears of every transition
   * @param surroundings time, randomness, and where the next page is read
   * @throws ConfigurationException {@code OUT-021} if something is null
   */
  public Pull(
      Parts parts, RelayOptions options, RelayListener listener, Relay.Surroundings surroundings) {
    this.slots = Require.nonNull("parts", parts).slots();
    this.journal = parts.journal();
    parts.stores().forEach((number, store) -> mine.put(number, new PulledSlot(number, store)));
    Set<Declaration> has =
        new LinkedHashSet<>(Require.nonNull("options", options).declaring(List.of()).has());
    has.add(Declaration.everything(""));
    this.declaring = new Declaring(has, Set.of());
    Require.nonNull("surroundings", surroundings);
    this.context =
        new RelayContext(
            options,
            surroundings.time(),
            surroundings.random(),
            Require.nonNull("listener", listener),
            new Wakeup(),
            surroundings.readAhead());
    this.free = new FreeSlots(mine, declaring, context);
  }

  /** Returns what ends a wait for the next call early; signalled by whoever knows of messages. */
  public Wakeup wakeup() {
    return context.wakeup();
  }

  /**
   * Takes the slots' leases where it may, and reads the next messages. What was handed out before
   * must have arrived, and {@link #committed()} been called, or {@link #forget()}.
   *
   * @return the messages; none where another one owns a slot or the database failed, which the
   *     state tells
   * @throws ConfigurationException if a required condition is not met, or the subscription has
   *     another number of slots; the next call looks again
   * @throws StoreException {@code OUT-026} if this was closed
   */
  public Pulled next() {
    if (closed) {
      throw new StoreException(ErrorCode.CLOSED, "cannot pull: this pull was closed");
    }
    try {
      Pulled pulled = active == null ? standBy() : own(active);
      failures = 0;
      return pulled;
    } catch (StoreException e) {
      return recover(e);
    } catch (ConfigurationException e) {
      drop("the database does not meet a precondition");
      context.listener().on(new RelayEvent.Refused(String.valueOf(e.getMessage())));
      throw e;
    } catch (Throwable e) {
      drop("the pull failed");
      throw e;
    }
  }

  /**
   * Returns in which epoch each slot's row is: an entry of a journal counts where it has the same.
   * Takes no lease; rows that are missing are made.
   *
   * @return the epochs by slot; 0 where an operator or a relay has written the row last, so that no
   *     entry counts
   * @throws StoreException if the database cannot be read, or {@code OUT-026} if this was closed
   */
  public Map<Integer, Long> epochs() {
    if (closed) {
      throw new StoreException(ErrorCode.CLOSED, "cannot look at epochs: this pull was closed");
    }
    Map<Integer, Long> epochs = new TreeMap<>();
    mine.forEach(
        (number, slot) ->
            epochs.put(
                number,
                PullOwner.of(slot.store().look().incarnation()).map(PullOwner::epoch).orElse(0L)));
    return epochs;
  }

  /**
   * Returns whether a pull has written a cursor's row: its frontiers are in a journal, and the row
   * follows them.
   *
   * @param incarnation of the row
   */
  public static boolean hasWritten(UUID incarnation) {
    return PullOwner.of(Require.nonNull("incarnation", incarnation)).isPresent();
  }

  /** Tells that all that was handed out, and {@link Pulled#after()} with it, has arrived. */
  public void committed() {
    if (active != null) {
      active.committed();
    }
  }

  /**
   * Parks messages that were handed out and cannot be sent, before the others are. Until {@link
   * #committed()} they stay open in the mirror, so that a crash in between parks them once more.
   *
   * @param changes the changes, by slot; may be empty
   * @return how far each slot is once the others have arrived, which replaces {@link
   *     Pulled#after()}: that one may name a message as sent that is parked again. Empty where the
   *     changes are not durable: the slots are owned no longer, and what was handed out must not be
   *     sent
   */
  public Optional<Map<Integer, PullJournal.Entry>> park(Map<Integer, List<ParkedChange>> changes) {
    Require.nonNull("changes", changes);
    ActivePull current = active;
    if (current == null) {
      return Optional.empty();
    }
    try {
      return keepOrDrop(current.park(changes)) ? Optional.of(current.after()) : Optional.empty();
    } catch (StoreException e) {
      recover(e);
      return Optional.empty();
    }
  }

  /** Forgets everything: what was handed out is read again, from where the journal is. */
  public void forget() {
    drop("what was handed out did not arrive");
  }

  /** Gives the leases back, where they are held. What was handed out and not committed is open. */
  public void release() {
    ActivePull current = active;
    if (current == null) {
      return;
    }
    try {
      if (keepOrDrop(current.release())) {
        context.listener().on(new RelayEvent.LeaseReleased(first().from().frontier()));
        drop(current);
      }
    } catch (OutledgerException e) {
      drop("the leases could not be given back: " + e.getMessage());
    }
  }

  /** Ends at once and closes the stores. Leases are not given back. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    drop("the pull was closed before it gave its leases back");
    closeStores();
    context.listener().on(new RelayEvent.Closed());
  }

  private Pulled standBy() {
    if (!declared) {
      lead().store().declare(declaring);
      declared = true;
    }
    Optional<ActivePull> taker = take();
    if (taker.isPresent()) {
      return own(taker.get());
    }
    if (!standsBy) {
      standsBy = true;
      context.listener().on(new RelayEvent.StandsBy(null));
    }
    Duration tenth = context.options().lease().dividedBy(10);
    return Pulled.none(
        StepReport.State.STANDBY, tenth.compareTo(STANDBY_POLL_MAX) < 0 ? tenth : STANDBY_POLL_MAX);
  }

  private PulledSlot lead() {
    return mine.firstEntry().getValue();
  }

  /**
   * Takes the leases that may be taken, and returns what reads their slots; empty where there is
   * none.
   */
  private Optional<ActivePull> take() {
    taken.clear();
    for (int number : free.toTake()) {
      PulledSlot slot = Objects.requireNonNull(mine.get(number));
      if (!slot.take(journal, context)) {
        taken.values().forEach(each -> each.drop(null));
        return Optional.empty();
      }
      taken.put(number, slot);
    }
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    standsBy = false;
    ActivePull taker = new ActivePull(context, slots, taken, journal, declaring);
    active = taker;
    context
        .listener()
        .on(new RelayEvent.LeaseTaken(first().incarnation(), first().from().frontier()));
    return Optional.of(taker);
  }

  /** Returns the first of the slots whose leases are held. */
  private PulledSlot first() {
    return taken.firstEntry().getValue();
  }

  private Pulled own(ActivePull current) {
    if (current.hasHandedOut()) {
      throw new IllegalStateException("what was handed out before has not arrived");
    }
    if (free.isDueBeyond(taken.keySet())) {
      if (!keepOrDrop(current.finishReading())) {
        return Pulled.none(StepReport.State.STANDBY, Duration.ZERO);
      }
      if (free.lookBeyond(taken.keySet())) {
        drop("it takes more slots, which nobody else owns any more");
        return take()
            .map(this::own)
            .orElseGet(() -> Pulled.none(StepReport.State.STANDBY, Duration.ZERO));
      }
    }
    if (!keepOrDrop(current.step())) {
      return Pulled.none(StepReport.State.STANDBY, Duration.ZERO);
    }
    return new Pulled(StepReport.State.OWNER, current.messages(), current.after(), current.pause());
  }

  /** Drops slots that are owned no longer; returns whether they are held. */
  private boolean keepOrDrop(Ownership ownership) {
    if (ownership instanceof Ownership.Lost lost) {
      drop(lost.reason());
    }
    return ownership instanceof Ownership.Held;
  }

  private Pulled recover(StoreException failure) {
    declared = false;
    standsBy = false;
    drop("the database call failed");
    closeStores();
    context.listener().on(new RelayEvent.StoreFailed(String.valueOf(failure.getMessage())));
    failures++;
    return Pulled.none(StepReport.State.RECOVERING, RECOVERY.delay(failures, context.random()));
  }

  private void drop(String reason) {
    ActivePull current = active;
    if (current == null) {
      mine.values().forEach(slot -> slot.drop(null));
    } else {
      drop(current);
      context.listener().on(new RelayEvent.LeaseLost(reason, current.messages().size()));
    }
  }

  private void drop(ActivePull current) {
    active = null;
    taken.forEach((number, slot) -> slot.drop(current.reached(number)));
    current.end();
  }

  /** The next call opens other connections. What is shared is closed by who opened it first. */
  private void closeStores() {
    for (PulledSlot slot : mine.descendingMap().values()) {
      try {
        slot.store().close();
      } catch (StoreException e) {
        // The connection is gone, which is all that is asked for.
      }
    }
  }
}
