// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.ConfigurationException;
import io.outledger.chaos.history.Entry;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.Partition;
import io.outledger.relay.Relay;
import io.outledger.relay.Sharing;
import io.outledger.relay.Slots;
import io.outledger.relay.StepReport;
import io.outledger.relay.options.Route;
import io.outledger.store.CursorRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The relay of one partition in one process, and the publisher with which it sends. */
final class DividedRelay implements Publisher {

  /** How long a running relay waits where a required condition is not met. */
  private static final long REFUSED_NANOS = 2_000_000_000L;

  private final DividedWorld world;
  private final DividedProcess process;
  private final Slots slots;
  private final int slot;
  private final String name;
  private final List<DividedClient> clients = new ArrayList<>();
  private @Nullable Relay relay;
  private @Nullable UUID incarnation;
  private long nextAt;
  private boolean isOnStack;
  private boolean isReleased;

  DividedRelay(DividedWorld world, DividedProcess process, Slots slots, int slot) {
    this.world = world;
    this.process = process;
    this.slots = slots;
    this.slot = slot;
    this.name = process + "/" + (slot + 1) + " of " + slots.count();
  }

  void start(Sharing sharing) {
    relay =
        new Relay(
            new Partition(new DividedStore(world, this).asStore(), slots, slot, sharing),
            List.of(Route.only(this)),
            world.plan().options,
            event -> world.tell(this, () -> "says " + event),
            new Relay.Surroundings(process.clock(), world.choices().split()));
  }

  DividedProcess process() {
    return process;
  }

  Slots slots() {
    return slots;
  }

  int slot() {
    return slot;
  }

  boolean isAlive() {
    return process.has(this);
  }

  boolean isOnStack() {
    return isOnStack;
  }

  boolean isReleased() {
    return isReleased;
  }

  /** Returns whether its take-over is the newest of its partition. */
  boolean isInForce() {
    return slots.count() == world.cursors().count()
        && world.cursors().newest(slot).incarnation().equals(incarnation);
  }

  /** Returns whether it has the lease, as the database has it. */
  boolean isOwner() {
    CursorRow newest = world.cursors().newest(slot);
    return isInForce() && !newest.released() && !newest.lapsed();
  }

  boolean isOf(int other) {
    return slot == other && slots.count() == world.cursors().count();
  }

  int openClients() {
    return (int) clients.stream().filter(DividedClient::isOpen).count();
  }

  /** Takes a turn; one that is held up in a call has only its watchdog. */
  void act() {
    Relay running = relay;
    if (running == null || isReleased) {
      return;
    }
    if (isOnStack) {
      running.abortIfLate();
    } else if (world.time().nanos() >= nextAt || process.isStopping()) {
      if (process.isStopping()) {
        running.handOver();
      }
      step(running);
    }
  }

  private void step(Relay running) {
    isOnStack = true;
    try {
      StepReport report = running.step();
      nextAt = world.time().nanos() + report.nextIn().toNanos();
      isReleased = process.isStopping() && report.state() == StepReport.State.RELEASED;
    } catch (ConfigurationException refused) {
      world.tell(this, () -> "is refused: " + refused.getMessage());
      nextAt = world.time().nanos() + REFUSED_NANOS;
    } catch (Crash crash) {
      nextAt = Long.MAX_VALUE;
    } finally {
      isOnStack = false;
    }
  }

  boolean hasOnItsWay() {
    clients.removeIf(DividedClient::isForgotten);
    return clients.stream().anyMatch(DividedClient::hasOnItsWay);
  }

  /** Something that was sent arrives, or is answered. */
  void network() {
    world.choices().pick(clients.stream().filter(DividedClient::hasOnItsWay).toList()).act();
  }

  void checkAlive() {
    if (!isAlive()) {
      throw new Crash("before");
    }
  }

  void tookOver(UUID owner, boolean isHandedOver) {
    if (isHandedOver) {
      world.note(Happening.PARTITION_HANDED_OVER);
    } else {
      world.note(Happening.PARTITION_TAKEN_FROM_ANOTHER);
    }
    incarnation = owner;
    world.processes().stream()
        .filter(other -> other != process)
        .forEach(other -> other.succeeded(slot));
  }

  void gaveLeaseBack() {
    clients.forEach(DividedClient::allowNoDuplicates);
    if (!process.isStopping() && world.operator().isDone()) {
      world.note(Happening.PARTITION_GIVEN_BACK_FOR_FAIRNESS);
    }
  }

  /** What it has sent and not saved may be sent again from now on. */
  void account(String why) {
    clients.forEach(client -> client.account(why));
  }

  void startsPublish() {
    UUID owner = incarnation;
    if (owner != null) {
      world
          .journal()
          .write(
              new Entry.Changed(
                  "right to publish " + (slot + 1),
                  world.cursors().nextPublish(),
                  Words.owner(owner)));
    }
  }

  void processDied() {
    clients.forEach(DividedClient::processDied);
  }

  void close() {
    Relay running = relay;
    if (running != null) {
      running.close();
    }
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    DividedClient client = new DividedClient(world, this, deliveryTimeMax, outcomes);
    clients.add(client);
    return client;
  }

  @Override
  public String toString() {
    return name;
  }
}
