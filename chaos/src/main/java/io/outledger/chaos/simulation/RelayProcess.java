// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.Lane;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import io.outledger.store.Start;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A process with a relay in it, which is frozen, killed, stopped and started again. */
final class RelayProcess implements Publisher {

  private final World world;
  private final String name;
  private final TimeSource clock;
  private final List<ModelClient> clients = new ArrayList<>();
  private @Nullable Relay relay;
  private @Nullable UUID incarnation;
  private boolean isOnStack;
  private boolean isFrozen;
  private boolean isStopping;
  private boolean knowsLostDatabase;
  private int starts;
  private long idleUntil;

  RelayProcess(World world, String name) {
    this.world = world;
    this.name = name;
    this.clock =
        world
            .time()
            .clock(
                Duration.ofSeconds(world.choices().between(-4000, 4000)),
                world.choices().between(-1_000_000, 1_000_000) * 1_000_000L);
  }

  boolean isAlive() {
    return relay != null;
  }

  boolean isFrozen() {
    return isFrozen;
  }

  int openClients() {
    return (int) clients.stream().filter(ModelClient::isOpen).count();
  }

  boolean isIdle() {
    return clients.stream().allMatch(client -> !client.isOpen() || client.isIdle());
  }

  /** Returns whether somebody else has taken the lease since this process did. */
  boolean isSucceeded() {
    return !Objects.equals(incarnation, world.owner());
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
      start();
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
      world.journal().tell(() -> this + " is asked to stop");
      isStopping = true;
      relay.handOver();
    }
  }

  /** Ends all troubles of its own. */
  void heal() {
    idleUntil = 0;
    isFrozen = false;
  }

  void othersMove(String where) {
    if (world.hasFaults() && world.choices().chance(world.plan().frozenInCall)) {
      freeze();
      world.runFor(frozenFor());
      isFrozen = false;
      world.journal().tell(() -> this + " goes on " + where);
    } else {
      world.interleave();
    }
    checkAlive();
  }

  void mayCrash(String where) {
    checkAlive();
    if (world.hasFaults() && world.choices().chance(world.plan().crash)) {
      die(where);
      throw new Crash(where);
    }
  }

  void checkAlive() {
    if (!isAlive()) {
      throw new Crash("before");
    }
  }

  void die(String where) {
    if (isAlive()) {
      world.journal().tell(() -> this + " is killed " + where);
      clients.forEach(ModelClient::processDied);
      end();
    }
  }

  void startsPublish(Message message) {
    world.sends(message);
    if (!knowsLostDatabase) {
      world.publishes(String.valueOf(incarnation));
    }
  }

  void tookOver(long n, UUID owner) {
    incarnation = owner;
    knowsLostDatabase = false;
    world.tookOver(this, n, owner);
  }

  /** From now on everything that its clients still send is more than the database knows of. */
  void databaseRestored() {
    knowsLostDatabase = true;
    clients.forEach(ModelClient::databaseRestored);
  }

  /** Returns whether its lease is one that the database has lost with the tail of its log. */
  boolean knowsLostDatabase() {
    return knowsLostDatabase;
  }

  void accountForSuccession() {
    clients.forEach(client -> client.account("succeeded"));
  }

  @Override
  public KeyOrder keyOrder() {
    return world.plan().keyOrder;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    checkAlive();
    if (!world.broker().isReachable() && world.choices().chance(0.5)) {
      throw new DestinationUnavailableException("the broker cannot be reached", null);
    }
    ModelClient client = new ModelClient(world, this, deliveryTimeMax, outcomes);
    world.journal().tell(() -> this + " opens a client for at most " + deliveryTimeMax);
    clients.removeIf(other -> !other.isOpen());
    clients.add(client);
    world.broker().opened(client);
    return client;
  }

  @Override
  public String toString() {
    return name + "." + starts;
  }

  private void start() {
    starts++;
    relay =
        new Relay(
            new FaultyStore(
                world, this, world.ledger().relayStore(World.SUBSCRIPTION, Start.EARLIEST)),
            List.of(Lane.only(this)),
            world.plan().options,
            event -> world.journal().tell(() -> this + " says " + event),
            new Relay.Surroundings(clock, world.choices().split()));
    world.journal().tell(() -> this + " starts");
  }

  private void step() {
    Map<ModelClient, Set<Sent>> known = new HashMap<>();
    clients.forEach(client -> known.put(client, client.rejectionsReported()));
    isOnStack = true;
    try {
      StepReport report = running().step();
      world.journal().tell(() -> this + " stepped: " + report);
      known.forEach(ModelClient::rejectionsBecomeKnown);
      idleUntil = world.time().nanos() + report.nextIn().toNanos();
      if (isStopping && report.state() == StepReport.State.RELEASED) {
        running().close();
        end();
      }
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
      relay.abortIfLate();
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
    world.journal().tell(() -> this + " is frozen");
  }

  private Duration frozenFor() {
    return world.plan().lease.multipliedBy(world.choices().between(1, 5)).dividedBy(2);
  }
}
