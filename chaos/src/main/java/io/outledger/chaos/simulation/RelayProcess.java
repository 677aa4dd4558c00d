// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.store.CursorRow;
import io.outledger.store.PauseScope;
import io.outledger.store.Pauses;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A process with a relay in it, which is frozen, killed, stopped and started again. */
final class RelayProcess {

  /** How long a running relay waits where a required condition is not met. */
  private static final long REFUSED_NANOS = 2_000_000_000L;

  private static final long BUILDS = 0x6275696c6473L;

  /** Calls between which many others lie: without more crashes they would hardly see one. */
  private static final Pattern RARE_CALLS =
      Pattern.compile("takeOver|Preconditions|writers|blockers|held|Elsewhere|discards|purge");

  private final World world;
  private final SimulatedSubscription subscription;
  private final String name;
  private final TimeSource clock;
  private final List<ModelClient> clients = new ArrayList<>();
  private int leftByStops;
  private final RelayListener listener;
  private @Nullable FaultyStore store;
  private @Nullable Relay relay;
  private @Nullable UUID incarnation;
  private boolean isOnStack;
  private boolean isFrozen;
  private boolean isStopping;
  private boolean knowsLostDatabase;
  private final Choices builds;
  private int starts;
  private boolean hasAllRoutes;
  private Pauses pauses = Pauses.NONE;
  private long idleUntil;

  RelayProcess(World world, SimulatedSubscription subscription, String name) {
    this.world = world;
    this.subscription = subscription;
    this.name = name;
    this.listener = new Listener(world, this);
    this.builds = world.choices().overflow(BUILDS ^ name.hashCode());
    this.clock = world.time().clock(world.choices());
  }

  SimulatedSubscription subscription() {
    return subscription;
  }

  boolean isAlive() {
    return relay != null;
  }

  /** Returns whether it holds the lease, as the database has it. */
  boolean isOwner() {
    CursorRow newest = subscription.inLedger().newest();
    return isAlive() && newest.incarnation().equals(incarnation) && !newest.lapsed();
  }

  /** Returns whether it is in the middle of a step. */
  boolean isOnStack() {
    return isOnStack;
  }

  boolean isFrozen() {
    return isFrozen;
  }

  /** Returns how many clients it has, or had when it was stopped, and has not closed. */
  int clientsLeft() {
    return leftByStops + openClients();
  }

  private int openClients() {
    return (int) clients.stream().filter(ModelClient::isOpen).count();
  }

  boolean isIdle() {
    return clients.stream().allMatch(client -> !client.isOpen() || client.isIdle());
  }

  /** Returns whether somebody else has taken the lease since this process did. */
  boolean isSucceeded() {
    return !Objects.equals(incarnation, subscription.owner());
  }

  /** Takes a turn. */
  void act() {
    if (isOnStack) {
      watchdog();
    } else if (world.time().nanos() < idleUntil) {
      wakeUp();
    } else if (isFrozen) {
      isFrozen = false;
    } else if (!isAlive()) {
      if (!world.isEnding() && !subscription.isGivenUp()) {
        start();
      }
    } else if (world.hasFaults() && world.choices().chance(world.plan().frozen)) {
      freeze();
      idleUntil = world.time().nanos() + frozenFor().toNanos();
    } else {
      step();
    }
  }

  /** A commit or an outcome may wake it before its time. */
  private void wakeUp() {
    if (isAlive() && !isFrozen && world.choices().chance(0.1)) {
      step();
    }
  }

  /** Begins a graceful stop. */
  void stop() {
    if (relay != null && !isOnStack) {
      world.tell(this, () -> "is asked to stop");
      isStopping = true;
      relay.handOver();
    }
  }

  /** Ends all troubles of its own. */
  void heal() {
    if (!hasAllRoutes) {
      die("to be started with all routes");
    }
    idleUntil = 0;
    isFrozen = false;
  }

  void othersMove(String where) {
    if (world.hasFaults() && world.choices().chance(world.plan().frozenInCall)) {
      freeze();
      world.others().runFor(frozenFor());
      isFrozen = false;
      world.tell(this, () -> "goes on " + where);
    } else {
      world.interleave();
    }
    checkAlive();
  }

  void mayCrash(String where) {
    checkAlive();
    double crash = world.plan().crash * (RARE_CALLS.matcher(where).find() ? 20 : 1);
    if (world.hasFaults() && world.choices().chance(crash)) {
      world.happenings().crashed(where);
      die(where);
      throw new Crash(where);
    }
  }

  void checkAlive() {
    if (!isAlive()) {
      throw new Crash("before");
    }
  }

  void checkDead() {
    if (isAlive()) {
      throw new IllegalStateException(this + " has crashed and is alive");
    }
  }

  void dieFromOutside() {
    if (isAlive()) {
      world.note(Happening.PROCESS_KILLED_FROM_OUTSIDE);
      die("from outside");
    }
  }

  private void die(String where) {
    if (isAlive()) {
      world.tell(this, () -> "is killed " + where);
      subscription.storeClosed();
      clients.forEach(ModelClient::processDied);
      leaseLost();
      end();
    }
  }

  void leaseLost() {
    if (incarnation != null) {
      subscription.leaseLost(incarnation);
    }
  }

  /** Holes were dropped; the horizon that its store has seen says by which proof. */
  void holesDropped() {
    if (store != null) {
      store.holesDropped();
    }
  }

  void startsPublish(SimulatedRoute route, Message message) {
    route.sends(message.id());
    if (isPaused(route, message)) {
      route.sentThoughPaused();
    }
    if (!knowsLostDatabase && incarnation != null) {
      subscription.publishes(incarnation);
    }
  }

  /** It has been told what is paused. */
  void knows(Pauses paused) {
    pauses = paused;
  }

  private boolean isPaused(SimulatedRoute route, Message message) {
    Set<PauseScope> known = pauses.current().keySet();
    String key = message.key();
    return known.contains(PauseScope.subscription())
        || known.contains(PauseScope.route(route.name()))
        || known.contains(PauseScope.topic(message.topic()))
        || (key != null && known.contains(PauseScope.key(key)));
  }

  void tookOver(long n, UUID owner) {
    incarnation = owner;
    knowsLostDatabase = false;
    subscription.tookOver(this, n, owner);
  }

  /** From now on everything that its clients still send is more than the database knows of. */
  void databaseRestored() {
    knowsLostDatabase = true;
    clients.forEach(ModelClient::databaseRestored);
  }

  /** Its subscription is moved: until its next poll, what it sends is more than it may. */
  void moved() {
    clients.forEach(client -> client.account("moved"));
    databaseRestored();
  }

  void settled(SimulatedRoute route, Set<Long> positions) {
    clients.forEach(client -> client.settled(route, positions));
  }

  /** Returns whether its lease is one that the database has lost with the tail of its log. */
  boolean knowsLostDatabase() {
    return knowsLostDatabase;
  }

  /** What is on its way now would be a duplicate, and a graceful stop has none. */
  void gaveLeaseBack() {
    clients.forEach(ModelClient::allowNoDuplicates);
  }

  /** Another process has taken the lease. */
  void succeeded() {
    if (isFrozen && isAlive() && !isSucceeded()) {
      world.note(Happening.OWNER_SUCCEEDED_WHILE_FROZEN);
    }
    clients.forEach(client -> client.account("succeeded"));
  }

  void opened(ModelClient client) {
    clients.removeIf(other -> !other.isOpen());
    clients.add(client);
  }

  @Override
  public String toString() {
    return name + "." + starts;
  }

  private void start() {
    starts++;
    pauses = Pauses.NONE;
    store = new FaultyStore(world, this, subscription.openStore());
    relay =
        new Relay(
            store,
            build(),
            subscription.terms().options,
            listener,
            new Relay.Surroundings(clock, world.choices().split()));
    world.tell(this, () -> "starts");
  }

  /**
   * Returns the routes of the version that is started: of an older or a newer one, some. The first
   * version that ever ran has declared all of them.
   */
  private List<Route> build() {
    List<Route> all = subscription.routes().stream().map(this::served).toList();
    boolean isPart =
        world.hasFaults()
            && all.size() > 1
            && subscription.isDeclaredWhole()
            && builds.chance(world.plan().rolledOut);
    List<Route> part =
        isPart ? all.stream().filter(route -> builds.chance(0.5)).toList() : List.of();
    hasAllRoutes = part.isEmpty();
    if (!hasAllRoutes) {
      world.note(Happening.PART_OF_THE_ROUTES_STARTED);
    }
    return hasAllRoutes ? all : part;
  }

  private Route served(SimulatedRoute route) {
    return new Route(route.name(), new RouteSender(world, this, route), Accepts.everything());
  }

  private void step() {
    Map<ModelClient, Set<Sent>> known = new HashMap<>();
    clients.forEach(client -> known.put(client, client.rejectionsReported()));
    isOnStack = true;
    try {
      StepReport report = running().step();
      checkAlive();
      world.tell(this, () -> Words.step(report));
      known.forEach(ModelClient::rejectionsBecomeKnown);
      idleUntil = world.time().nanos() + report.nextIn().toNanos();
      if (isStopping && report.state() == StepReport.State.RELEASED) {
        running().close();
        leftByStops += openClients();
        end();
      }
    } catch (ConfigurationException refused) {
      world.tell(this, () -> "is refused: " + refused.getMessage());
      idleUntil = world.time().nanos() + REFUSED_NANOS;
    } catch (Crash crash) {
      end();
    } finally {
      isOnStack = false;
    }
  }

  /**
   * As its watchdog's thread does while the relay's own is held up; a frozen process has neither.
   */
  private void watchdog() {
    if (relay != null && !isFrozen) {
      int before = openClients();
      relay.abortIfLate();
      if (openClients() < before) {
        world.note(Happening.OWNER_STOPPED_BY_ITS_WATCHDOG);
      }
    }
  }

  private Relay running() {
    if (relay == null) {
      throw new Crash("while it ran");
    }
    return relay;
  }

  private void end() {
    relay = null;
    isStopping = false;
    isFrozen = false;
    idleUntil = world.time().nanos() + world.choices().millis(0, 500).toNanos();
  }

  private void freeze() {
    isFrozen = true;
    if (isOwner()) {
      world.note(Happening.OWNER_FROZEN);
    }
    world.tell(this, () -> "is frozen");
  }

  private Duration frozenFor() {
    return subscription.terms().lease.multipliedBy(world.choices().between(1, 5)).dividedBy(2);
  }
}
