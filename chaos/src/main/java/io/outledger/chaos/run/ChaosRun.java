// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.fault.Fault;
import io.outledger.chaos.fault.Holds;
import io.outledger.chaos.fault.Incident;
import io.outledger.chaos.fault.Scene;
import io.outledger.chaos.fault.Stories;
import io.outledger.chaos.shop.Patience;
import io.outledger.chaos.shop.Shop;
import io.outledger.chaos.shop.ShopPlan;
import io.outledger.servers.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does to a shop what a schedule says, each thing while the owner has work in flight; lets it
 * drain, and has the checker judge it. Used once, by one thread.
 */
public final class ChaosRun implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ChaosRun.class);
  private static final Duration DRAIN_PATIENCE = Duration.ofMinutes(6);
  private static final int PAUSE_MS_MAX = 200;
  private static final long LATE_MS = 3_000;

  /** What the checker can hold in the heap that {@code ./outledger chaos} gives it. */
  private static final long POSITIONS_MAX = 3_000_000;

  private final Schedule schedule;
  private final RandomGenerator random;
  private final Shop shop;
  private final Stories stories;
  private final Checker checker = new Checker();
  private final Holds holds = new Holds();
  private final List<Incident> incidents = new ArrayList<>();
  private final Watcher watcher;
  private final long beganMs = System.currentTimeMillis();

  /** Who is told what happens, as it happens. */
  public interface Watcher {

    /** A fault is about to be done. */
    void begins(Fault fault);

    /** A fault was done. */
    void happened(Incident incident);

    /** The faults are over, and what waits is waited for; then all is judged. */
    void says(String what);
  }

  /**
   * Starts servers and roles.
   *
   * @param plan the shop
   * @param seed where choices come from
   * @param schedule what is to be done
   * @param watcher who is told
   * @throws SQLException where the tables cannot be made
   */
  public ChaosRun(ShopPlan plan, long seed, Schedule schedule, Watcher watcher)
      throws SQLException {
    this.schedule = schedule;
    this.random = new SplittableRandom(seed);
    this.watcher = watcher;
    this.stories = new Stories(plan.disk());
    this.shop = new Shop(plan);
    shop.open();
  }

  /** Returns the shop, to be looked at. */
  Shop shop() {
    return shop;
  }

  /**
   * Does everything that the schedule says, and judges. Where the shop cannot go on, the schedule
   * ends there, and what is left is judged.
   *
   * @throws SQLException where the database cannot be asked at the end
   */
  public Outcome run() throws SQLException {
    Optional<String> brokenOff = Optional.empty();
    try {
      while (schedule.hasNext() && shop.state().high() < POSITIONS_MAX) {
        holds.endDue();
        shop.revive();
        next();
      }
    } catch (AssertionError | IllegalStateException | SQLException e) {
      LOG.error("the schedule ends here", e);
      brokenOff = Optional.of(String.valueOf(e));
    }
    watcher.says("waiting until everything has arrived");
    drain();
    watcher.says("counting");
    shop.histories().forEach(checker::read);
    EndState end = EndState.tell(shop, checker, restoredMs());
    return new Outcome(
        checker.report(),
        List.copyOf(incidents),
        Liveness.of(incidents, end, shop.lease()),
        new Outcome.Measured(Races.count(shop), end.leftAtHandover(), end.moves(), end.asked()),
        brokenOff);
  }

  @Override
  public void close() {
    shop.close();
  }

  /** When the database forgot, for the last time, what had been done to it; 0 for never. */
  private long restoredMs() {
    return incidents.stream()
        .filter(incident -> incident.fault() == Fault.POINT_IN_TIME_RESTORED)
        .mapToLong(Incident::endedMs)
        .max()
        .orElse(0);
  }

  private void next() throws SQLException {
    String owner = awaitOwnerAtWork();
    Await.until("time passes", Patience.ONE_STEP, pause());
    Fault fault = schedule.next();
    LOG.info("{} (owner {})", fault, owner);
    watcher.begins(fault);
    Incident incident =
        stories.happen(fault, new Scene(shop, owner, random, holds, checker::accept));
    incidents.add(incident);
    incident.note(beganMs);
    watcher.happened(incident);
  }

  private Await.Condition pause() {
    return pauseOf(random.nextInt(PAUSE_MS_MAX));
  }

  private static Await.Condition pauseOf(long millis) {
    long until = System.nanoTime() + millis * 1_000_000L;
    return () -> System.nanoTime() - until >= 0;
  }

  private void drain() {
    holds.endAll();
    shop.revive();
    try {
      shop.cast().operators().forEach(operator -> shop.child(operator).stop(Patience.ONE_STEP));
      shop.cast().writers().forEach(writer -> shop.child(writer).stop(Patience.ONE_STEP));
      awaitDrained();
      Await.until(
          "all that was asked for has ended", Patience.ONE_STEP, () -> shop.hasNoOpenRequests());
      Await.until("all have effects", Patience.ONE_STEP, () -> shop.hasAllEffects());
      if (shop.cast().isOperated()) {
        Await.until("so have dead letters that came late", Patience.ONE_STEP, pauseOf(LATE_MS));
      }
    } catch (AssertionError e) {
      LOG.error("the checker will say what is stuck", e);
      endAllWork();
    }
  }

  /** However much is left: what is stuck is what nothing of has arrived for minutes. */
  private void awaitDrained() {
    ShopState before = shop.state();
    while (!before.isDrained()) {
      before = awaitLess(before);
    }
  }

  private ShopState awaitLess(ShopState before) {
    AtomicReference<ShopState> now = new AtomicReference<>(before);
    Await.until(
        () -> "something of this arrives: " + before,
        DRAIN_PATIENCE,
        () -> {
          ShopState seen = shop.state();
          now.set(seen);
          return seen.isDrained() || seen.left() < before.left();
        });
    return Objects.requireNonNull(now.get());
  }

  /** What arrives while it is counted, and has left the tables by then, would seem lost. */
  private void endAllWork() {
    shop.cast().relays().forEach(name -> shop.child(name).kill());
    shop.cast().consumers().forEach(name -> shop.child(name).kill());
  }

  /**
   * Waits until an owner has work in flight, and has settled some while we looked: one that has
   * just lost its connection is still the owner by the database, and could not be asked to hand
   * over; and owners that are killed before they have done anything prove little.
   */
  private String awaitOwnerAtWork() {
    AtomicReference<String> found = new AtomicReference<>();
    AtomicReference<ShopState> before = new AtomicReference<>(shop.state());
    Await.until(
        () -> "an owner is at work: " + shop.state(),
        Patience.ONE_STEP,
        () -> {
          ShopState now = shop.state();
          ShopState then = before.getAndSet(now);
          if (now.owner().equals(then.owner()) && now.settled() > then.settled()) {
            owner(now).ifPresent(found::set);
          }
          return found.get() != null;
        });
    return Objects.requireNonNull(found.get());
  }

  private Optional<String> owner(ShopState state) {
    return state.unsettled() == 0 ? Optional.empty() : shop.relayOf(state.owner());
  }
}
