// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.OutledgerException;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.relay.context.ReadAhead;
import io.outledger.relay.context.RelayContext;
import io.outledger.relay.context.Wakeup;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.CursorRow;
import io.outledger.store.LeaseGrant;
import io.outledger.store.RelayStore;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Reads a subscription's next messages, publishes them and moves its frontier, one {@link #step()}
 * at a time. It never reads a clock, sleeps or starts a thread: {@link RunningRelay} does.
 *
 * <p>Any number of relays may be made for one subscription, anywhere; one owns it at a time, the
 * others stand by. A crash at any point loses nothing: the next owner publishes again what was in
 * flight since the last save.
 *
 * <p>Used by one thread, but for {@link #abortIfLate()} and {@link #wakeup()}.
 */
public final class Relay implements AutoCloseable {

  private static final Duration STANDBY_POLL_MAX = Duration.ofMillis(500);
  private static final Backoff RECOVERY =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

  private final Partition partition;
  private final RelayStore store;
  private final List<Route> routes;
  private final RelayContext context;
  private final LeaseWatcher leaseWatcher = new LeaseWatcher();
  private volatile @Nullable ActiveRelay active;
  private int failures;
  private boolean handingOver;
  private boolean givingBack;
  private boolean closed;
  private final Standby standby;
  private final OwnDeclarations declarations;

  /**
   * Makes a relay of a subscription that is not divided.
   *
   * @param store the subscription's store, which the relay closes
   * @param routes where messages go; one or more, with different names
   * @param options how it works
   * @param listener hears of every transition
   * @param surroundings time and randomness
   * @throws ConfigurationException {@code OUT-021} if there is no route or a name is used twice
   */
  public Relay(
      RelayStore store,
      List<Route> routes,
      RelayOptions options,
      RelayListener listener,
      Surroundings surroundings) {
    this(Partition.whole(store), routes, options, listener, surroundings);
  }

  /**
   * Makes a relay of one partition; otherwise the same.
   *
   * @throws ConfigurationException {@code OUT-021} if there is no route or a name is used twice
   */
  public Relay(
      Partition partition,
      List<Route> routes,
      RelayOptions options,
      RelayListener listener,
      Surroundings surroundings) {
    Require.nonNull("partition", partition);
    Require.nonNull("options", options);
    Require.nonNull("listener", listener);
    Require.nonNull("surroundings", surroundings);
    Require.nonNull("routes", routes);
    if (routes.isEmpty() || routes.stream().map(Route::name).distinct().count() < routes.size()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "a relay needs at least one route and unique route names, but the routes are "
              + routes.stream().map(Route::name).toList());
    }
    this.partition = partition;
    this.store = partition.store();
    this.routes = List.copyOf(routes);
    this.context =
        new RelayContext(
            options,
            surroundings.time(),
            surroundings.random(),
            listener,
            new Wakeup(),
            surroundings.readAhead());
    this.standby = new Standby(context);
    this.declarations = new OwnDeclarations(store, options.declaring(this.routes), context);
  }

  /**
   * Time, randomness and a second thread, handed in so that a test can decide them.
   *
   * @param time the relay's own clock
   * @param random chooses back-offs and incarnations
   * @param readAhead where the next page is read
   */
  public record Surroundings(TimeSource time, RandomGenerator random, ReadAhead readAhead) {

    /**
     * Checks what is given.
     *
     * @throws ConfigurationException {@code OUT-021} if something is null
     */
    public Surroundings {
      Require.nonNull("time", time);
      Require.nonNull("random", random);
      Require.nonNull("readAhead", readAhead);
    }

    /** Makes surroundings in which everything happens on the thread that steps. */
    public Surroundings(TimeSource time, RandomGenerator random) {
      this(time, random, ReadAhead.AT_ONCE);
    }
  }

  /** Returns this relay's wake-up; signal it when a transaction with messages has committed. */
  public Wakeup wakeup() {
    return context.wakeup();
  }

  /**
   * Takes one step: takes the lease where it may, else publishes what there is and saves.
   *
   * @return what was done
   * @throws ConfigurationException if a required condition is not met; nothing is published until
   *     it is, and the next step looks again
   * @throws StoreException {@code OUT-026} if this was closed
   */
  public StepReport step() {
    if (closed) {
      throw new StoreException(ErrorCode.CLOSED, "cannot take a step: this relay was closed");
    }
    try {
      StepReport report = active == null ? standBy() : own();
      failures = 0;
      if (!standby.isForAll()) {
        partition.sharing().holds(active != null);
      }
      return report;
    } catch (StoreException e) {
      standby.ends();
      declarations.forget();
      standDown("the database call failed");
      context.listener().on(new RelayEvent.StoreFailed(String.valueOf(e.getMessage())));
      failures++;
      Duration delay = RECOVERY.delay(failures, context.random());
      return new StepReport(StepReport.State.RECOVERING, 0, 0, 0, delay);
    } catch (ConfigurationException e) {
      standby.ends();
      declarations.forget();
      standDown("the database does not meet a precondition of the relay");
      context.listener().on(new RelayEvent.Refused(String.valueOf(e.getMessage())));
      throw e;
    } catch (Throwable e) {
      giveUp("the relay failed: " + Printable.text(e));
      throw e;
    }
  }

  /**
   * Publishes what is pending now, and hands the subscription over: for schedulers and batch jobs.
   * It ends when nothing is left to read or in flight, when a destination cannot be reached, when
   * another relay is at work on the subscription, or when the time is up. It does not wait for
   * parked messages or holes. A lease that a killed process has left is waited out first: up to two
   * leases.
   *
   * @param atMost how long it may take, by the relay's clock
   * @return what was done; the state says whether it was the owner
   * @throws InterruptedException if the thread was interrupted while it waited; the subscription is
   *     still owned, and {@link #close()} ends that
   */
  public DrainReport drain(Duration atMost) throws InterruptedException {
    return new Drain(this, context).run(Require.nonNull("atMost", atMost));
  }

  /** Begins to hand over: further steps settle what is in flight, save, and give the lease back. */
  public void handOver() {
    handingOver = true;
    ActiveRelay current = active;
    if (current != null) {
      current.handsOver(true);
    }
  }

  /** Ends all sending at once where the lease's deadline has passed. Thread-safe. */
  public void abortIfLate() {
    ActiveRelay current = active;
    if (current != null) {
      current.abortIfLate();
    }
  }

  /**
   * Returns how long until {@link #abortIfLate()} would act, unless the lease is renewed; without a
   * lease, how long until it could if one was taken now.
   */
  Duration untilDeadline() {
    ActiveRelay current = active;
    return current == null
        ? LeaseClock.ownShare(context.options().lease())
        : current.untilDeadline();
  }

  boolean isDown() {
    ActiveRelay current = active;
    return current != null && current.isDown();
  }

  /** Returns whether parked messages are being tried, or reading waits for them. */
  boolean isTryingRows() {
    ActiveRelay current = active;
    return current != null && current.isTryingRows();
  }

  /** Returns whether the owner that this one stands by for has saved or renewed meanwhile. */
  boolean seesOwnerAtWork() {
    return leaseWatcher.isAtWork();
  }

  /** Lets a relay that has handed over, or begun to, take part again. */
  void rejoin() {
    handingOver = false;
    ActiveRelay current = active;
    if (current != null) {
      current.handsOver(false);
    }
  }

  /**
   * Ends at once, without waiting for what is in flight, and closes the store. The lease is not
   * given back, so a successor waits it out; step after {@link #handOver()} for a clean end.
   * Idempotent.
   */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try (store) {
        standDown("the relay was closed before it handed over");
        context.listener().on(new RelayEvent.Closed());
      }
    }
  }

  private StepReport standBy() {
    if (handingOver) {
      return new StepReport(StepReport.State.RELEASED, 0, 0, 0, Duration.ZERO);
    }
    declare();
    declarations.keep();
    CursorRow row = store.look();
    declarations.offer(row);
    long now = context.time().nanoTime();
    if (leaseWatcher.observe(row, declarations.all(), now)
        && (declarations.hasWhatLacked(row)
            || partition.sharing().mayTake(leaseWatcher.freeFor(now)))) {
      UUID incarnation = new UUID(context.random().nextLong(), context.random().nextLong());
      AtomicLong askedAt = new AtomicLong(context.time().nanoTime());
      Duration lease = context.options().lease();
      Optional<LeaseGrant> grant =
          store.takeOver(row, incarnation, lease, () -> askedAt.set(context.time().nanoTime()));
      if (grant.isPresent()) {
        take(grant.get(), new ActiveRelay.Claim(incarnation, askedAt.get()));
        return new StepReport(StepReport.State.OWNER, 0, 0, 0, Duration.ZERO);
      }
    }
    standby.tell(row);
    return new StepReport(StepReport.State.STANDBY, 0, 0, 0, standbyPoll());
  }

  /**
   * Declares what this relay has, once: what commits afterwards is not settled by any owner without
   * it. The first step does so too; whoever appends before that calls this.
   *
   * @throws StoreException if the database failed; the next step tries again
   */
  public void declare() {
    declarations.declare();
  }

  /**
   * Declares what this relay has over another store of its subscription, before this relay takes
   * its first step, which declares it too. Listeners hear of a refusal. Thread-safe.
   *
   * @param other stays open
   * @throws ConfigurationException if a required condition is not met
   * @throws StoreException if the database failed
   */
  public void declareOver(RelayStore other) {
    declarations.declareOver(Require.nonNull("other", other));
  }

  private void take(LeaseGrant grant, ActiveRelay.Claim claim) {
    standby.ends();
    givingBack = false;
    active = new ActiveRelay(partition, routes, context, grant, claim);
    context.listener().on(new RelayEvent.LeaseTaken(claim.incarnation(), grant.frontier()));
  }

  private StepReport own() {
    ActiveRelay current = Objects.requireNonNull(active);
    share(current);
    StepReport report = current.step();
    if (current.ownership() instanceof Ownership.Lost lost) {
      declarations.forget();
      endLease();
      abandon(n -> isFree() ? new RelayEvent.Moved(n) : new RelayEvent.LeaseLost(lost.reason(), n));
    } else if (current.ownership() instanceof Ownership.Released) {
      current.end();
      active = null;
      context.listener().on(new RelayEvent.LeaseReleased(current.frontier()));
      return handingOver ? report : report.standsBy(standbyPoll());
    }
    return report;
  }

  /** Begins to hand the partition over where others are to have it, or ends that. */
  private void share(ActiveRelay current) {
    boolean gives = partition.sharing().givesBack();
    if (gives != givingBack && !handingOver) {
      givingBack = gives;
      current.handsOver(gives);
    }
  }

  private void standDown(String reason) {
    endLease();
    giveUp(reason);
  }

  private void endLease() {
    ActiveRelay current = active;
    if (current != null) {
      leaseWatcher.ended(current.incarnation());
    }
  }

  /** Where a newer row leaves the lease free, an operator has moved the subscription. */
  private boolean isFree() {
    try {
      return store.look().released();
    } catch (OutledgerException e) { // which the next step meets as well, and tells
      return false;
    }
  }

  /**
   * Gives up ownership as if another process had it: this relay waits until the lease has expired
   * before it takes it again, so that a standby goes first, which may succeed.
   */
  private void giveUp(String reason) {
    abandon(inFlight -> new RelayEvent.LeaseLost(reason, inFlight));
  }

  private void abandon(IntFunction<RelayEvent> told) {
    ActiveRelay current = active;
    partition.sharing().fails();
    if (current != null) {
      int inFlight;
      try {
        inFlight = current.end(); // watched by the deadline until all of its clients are closed
      } finally {
        active = null;
      }
      context.listener().on(told.apply(inFlight));
    }
  }

  private Duration standbyPoll() {
    Duration tenth = context.options().lease().dividedBy(10);
    return tenth.compareTo(STANDBY_POLL_MAX) < 0 ? tenth : STANDBY_POLL_MAX;
  }
}
