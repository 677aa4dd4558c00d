// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.kill;

import io.outledger.chaos.checker.Checker;
import io.outledger.chaos.checker.Report;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.roles.RelayMain;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import java.nio.file.Path;
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
public final class KillRun implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KillRun.class);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Schedule schedule;
  private final RandomGenerator random;
  private final Shop shop;
  private final Checker checker = new Checker();
  private final List<KillRecord> killed = new ArrayList<>();
  private final long startedAt = System.nanoTime();
  private int stopped;
  private int handOvers;

  /**
   * Starts servers and roles.
   *
   * @param schedule what is to be done
   * @param folder where histories and outputs go
   * @param lease how long the relays' lease lasts
   * @throws SQLException where the tables cannot be made
   */
  public KillRun(Schedule schedule, Path folder, Duration lease) throws SQLException {
    this.schedule = schedule;
    this.random = new SplittableRandom(schedule.seed());
    this.shop = new Shop(folder, lease);
    List<String> roles = new ArrayList<>(Shop.RELAYS);
    roles.add(Shop.CONSUMER);
    roles.addAll(Shop.WRITERS);
    roles.forEach(shop::start);
    roles.forEach(shop::awaitReady);
  }

  /** Returns what was killed so far. */
  public List<KillRecord> killed() {
    return List.copyOf(killed);
  }

  /** Returns how often an owner was stopped gracefully. */
  public int stopped() {
    return stopped;
  }

  /** Returns how often an owner that was stopped had given its lease back when it had ended. */
  public int handOvers() {
    return handOvers;
  }

  /**
   * Does everything that the schedule says, and judges.
   *
   * @throws SQLException where the database cannot be asked at the end
   */
  public Report run() throws SQLException {
    for (Fault fault : schedule.faults()) {
      shop.revive();
      String owner = awaitOwnerAtWork();
      pass(Duration.ofMillis(random.nextInt(200)));
      LOG.info("{} (owner {}) at {} ms", fault, owner, now());
      act(fault, owner);
    }
    drain();
    shop.histories().forEach(checker::read);
    EndState.tell(shop, checker);
    return checker.report();
  }

  @Override
  public void close() {
    shop.close();
  }

  private void act(Fault fault, String owner) throws SQLException {
    switch (fault) {
      case RELAY_KILLED -> kill(owner);
      case WRITER_KILLED -> kill(Shop.WRITERS.get(random.nextInt(Shop.WRITERS.size())));
      case CONSUMER_KILLED -> kill(Shop.CONSUMER);
      case DATABASE_KILLED -> killDatabase();
      case BROKER_KILLED -> killBroker();
      case OWNER_FROZEN -> freeze(owner);
      case CONNECTION_CUT -> shop.proxy().cut();
      case REPLIES_LOST -> loseReplies();
      case OWNER_STOPPED -> stopOwner();
    }
  }

  private void kill(String name) {
    ChildJvm child = shop.child(name);
    ShopState before = state();
    child.kill();
    ShopState after = state();
    long inFlight =
        switch (Role.of(name)) {
          case WRITER -> before.writing();
          case CONSUMER -> after.withoutEffect();
          case RELAY -> after.unsettled();
        };
    record(name, child.pid(), inFlight);
    shop.start(name);
  }

  private void killDatabase() {
    long pid = shop.postgres().pid();
    long unsettled = state().unsettled();
    shop.postgres().kill();
    record("postgres", pid, unsettled);
    shop.postgres().restart();
  }

  private void killBroker() {
    long pid = shop.kafka().pid();
    shop.kafka().kill();
    record("kafka", pid, state().unsettled());
    shop.kafka().restart();
  }

  /** What it had handed over when it froze may be sent when it goes on, after its successor has. */
  private void freeze(String owner) {
    ChildJvm child = shop.child(owner);
    child.suspend();
    long inFlight = Math.min(RelayMain.WINDOW, state().unsettled());
    checker.accept(new Entry.Crashed(owner + " was frozen", inFlight));
    pass(shop.lease().multipliedBy(20 + random.nextInt(11)).dividedBy(10));
    child.resume();
  }

  private void loseReplies() {
    shop.proxy().swallowReplies();
    pass(Duration.ofMillis(100 + random.nextInt(400)));
    shop.proxy().pass();
  }

  /**
   * Whoever owns it: one without a line to the database cannot hand over, so it must have saved.
   */
  private void stopOwner() throws SQLException {
    awaitSave();
    String incarnation = state().owner();
    String owner = shop.relayOf(incarnation).orElseThrow();
    shop.child(owner).stop(Duration.ofSeconds(30));
    stopped++;
    if (shop.isGivenBackBy(incarnation)) {
      handOvers++;
    }
    shop.start(owner);
  }

  private void awaitSave() throws SQLException {
    long before = shop.newestRow();
    Await.until(
        () -> "its owner saves: " + state(),
        PATIENCE,
        () -> shop.newestRow() > before && owner().isPresent());
  }

  private void drain() {
    Shop.WRITERS.forEach(writer -> shop.child(writer).stop(PATIENCE));
    try {
      Await.until(() -> "all drained: " + state(), PATIENCE, () -> state().isDrained());
    } catch (AssertionError e) {
      LOG.error("the checker will say what is stuck", e);
    }
  }

  private String awaitOwnerAtWork() {
    AtomicReference<String> found = new AtomicReference<>();
    Await.until(
        () -> "an owner is at work: " + state(),
        PATIENCE,
        () -> {
          owner().ifPresent(found::set);
          return found.get() != null;
        });
    return Objects.requireNonNull(found.get());
  }

  private Optional<String> owner() {
    ShopState state = state();
    return state.unsettled() == 0 ? Optional.empty() : shop.relayOf(state.owner());
  }

  private ShopState state() {
    try {
      return ShopState.of(shop);
    } catch (SQLException e) {
      throw new IllegalStateException("the database does not answer", e);
    }
  }

  private void record(String role, long pid, long inFlight) {
    KillRecord record = new KillRecord(role, pid, now(), inFlight);
    record.note();
    killed.add(record);
  }

  private long now() {
    return (System.nanoTime() - startedAt) / 1_000_000;
  }

  private static void pass(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    Await.until("time passes", time.plusSeconds(5), () -> System.nanoTime() - until >= 0);
  }
}
