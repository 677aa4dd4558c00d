// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.jdbc.sharing.PartitionShare;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.relay.Sharing;
import io.outledger.relay.Slots;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A process with a relay for each partition: it is frozen, killed, stopped and started again. */
final class DividedProcess {

  private static final int LOOKS_IN_LEASE = 10;

  private final DividedWorld world;
  private final String name;
  private final TimeSource clock;
  private int starts;
  private int leftByStops;
  private int partitions;
  private @Nullable PartitionShare share;
  private List<DividedRelay> relays = List.of();
  private boolean isFrozen;
  private boolean isStopping;
  private long idleUntil;
  private long lookAt;

  DividedProcess(DividedWorld world, String name) {
    this.world = world;
    this.name = name;
    this.clock = world.time().clock(world.choices());
  }

  TimeSource clock() {
    return clock;
  }

  boolean isAlive() {
    return share != null;
  }

  boolean isFrozen() {
    return isFrozen;
  }

  boolean isStopping() {
    return isStopping;
  }

  /** Returns whether it can carry a request out. */
  boolean isAtWork() {
    return isAlive() && !isFrozen && !isStopping;
  }

  boolean has(DividedRelay relay) {
    return relays.contains(relay);
  }

  /** Returns how many partitions it owns, as the database has it. */
  long owned() {
    return relays.stream().filter(DividedRelay::isOwner).count();
  }

  /** Takes a turn. */
  void act() {
    if (world.time().nanos() < idleUntil) {
      return;
    }
    isFrozen = false;
    if (!isAlive()) {
      if (!world.isEnding()) {
        start();
      }
      return;
    }
    look();
    if (!relays.isEmpty()) {
      world.choices().pick(relays).act();
    }
    if (isStopping && relays.stream().allMatch(DividedRelay::isReleased)) {
      relays.forEach(DividedRelay::close);
      leftByStops += openClients();
      end();
    }
  }

  private void look() {
    PartitionShare now = share;
    if (now != null && world.time().nanos() >= lookAt && !isStopping) {
      lookAt = world.time().nanos() + world.plan().lease.toNanos() / LOOKS_IN_LEASE;
      now.look();
    }
  }

  /** Something that was sent arrives, or is answered. */
  void network() {
    List<DividedRelay> sending = relays.stream().filter(DividedRelay::hasOnItsWay).toList();
    if (!sending.isEmpty()) {
      world.choices().pick(sending).network();
    }
  }

  /** Carries a step of a request out. */
  void carriesOut(Runnable step) {
    try {
      mayCrash("before divide");
      step.run();
      mayCrash("after divide");
    } catch (Crash crash) {
      world.note(Happening.PROCESS_KILLED_AT_A_DIVISION);
    }
  }

  /** Something happens to it. */
  void trouble() {
    if (!isAlive()) {
      return;
    }
    Choices choices = world.choices();
    int kind = choices.between(1, partitions == world.operator().configured() ? 12 : 4);
    if (kind == 1) {
      die("from outside");
    } else if (kind == 2 && relays.stream().noneMatch(DividedRelay::isOnStack)) {
      freeze(frozenFor());
    } else if (kind > 2 && kind <= 4) {
      stop();
    }
  }

  /** Begins a graceful stop. */
  void stop() {
    PartitionShare now = share;
    if (now != null && !isStopping) {
      world.tell(this, () -> "is asked to stop");
      isStopping = true;
      now.end();
      now.leave();
    }
  }

  /** Ends all troubles of its own; one with another number is started again with the right one. */
  void heal() {
    idleUntil = 0;
    isFrozen = false;
    if (partitions != world.operator().configured()) {
      die("to be started with another number");
      idleUntil = 0;
    }
  }

  void othersMove(String where) {
    if (world.hasFaults() && world.choices().chance(world.plan().frozenInCall)) {
      Duration time = frozenFor();
      freeze(time);
      world.others().runFor(time);
      isFrozen = false;
      idleUntil = 0;
      world.tell(this, () -> "goes on " + where);
    } else {
      world.interleave();
    }
  }

  void mayCrash(String where) {
    if (world.hasFaults() && world.choices().chance(world.plan().crash)) {
      world.happenings().crashed(where);
      die(where);
      throw new Crash(where);
    }
  }

  /** A division is about to take from those who own a partition what they have. */
  void succeeded() {
    relays.stream().filter(DividedRelay::isInForce).forEach(each -> each.account("divided"));
  }

  /** Another process has taken the lease of a partition. */
  void succeeded(int slot) {
    relays.stream().filter(each -> each.isOf(slot)).forEach(each -> each.account("succeeded"));
  }

  /** Returns how many clients it has, or had when it was stopped, and has not closed. */
  int clientsLeft() {
    return leftByStops + openClients();
  }

  private int openClients() {
    return relays.stream().mapToInt(DividedRelay::openClients).sum();
  }

  private void start() {
    starts++;
    partitions = world.operator().configured();
    Slots slots = new Slots(partitions);
    PartitionShare made =
        new PartitionShare(
            CursorKey.of(DividedCursors.SUBSCRIPTION),
            partitions,
            world.plan().lease,
            new PartitionShare.Place(world.statuses(), toString()),
            clock);
    share = made;
    relays =
        IntStream.range(0, partitions)
            .mapToObj(slot -> new DividedRelay(world, this, slots, slot))
            .toList();
    relays.forEach(each -> each.start(partitions == 1 ? Sharing.NONE : made.of(each.slot())));
    lookAt = world.time().nanos();
    world.tell(this, () -> "starts with " + partitions + " partitions");
  }

  private void die(String where) {
    if (isAlive()) {
      world.tell(this, () -> "is killed " + where);
      relays.forEach(DividedRelay::processDied);
      end();
    }
  }

  private void end() {
    Choices choices = world.choices();
    share = null;
    relays = List.of();
    isStopping = false;
    isFrozen = false;
    Duration down =
        choices.chance(0.7) ? choices.millis(0, 500) : world.plan().lease.multipliedBy(4);
    idleUntil = world.time().nanos() + down.toNanos();
  }

  private void freeze(Duration time) {
    isFrozen = true;
    idleUntil = world.time().nanos() + time.toNanos();
    world.tell(this, () -> "is frozen");
  }

  private Duration frozenFor() {
    return world.plan().lease.multipliedBy(world.choices().between(1, 5)).dividedBy(2);
  }

  @Override
  public String toString() {
    return name + "." + starts;
  }
}
