// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.chaos.history.Entry;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A client of a destination that takes everything, in the order in which it was sent. What is on
 * its way when the client ends may still arrive.
 */
final class DividedClient implements PublisherClient {

  private static final double GOES_ON = 0.6;
  private static final String TOPIC = "work-0";

  private final DividedWorld world;
  private final DividedRelay relay;
  private final long deliveryNanosMax;
  private final Outcomes outcomes;
  private final Deque<OnItsWay> sent = new ArrayDeque<>();
  private final Deque<OnItsWay> arrived = new ArrayDeque<>();
  private final Map<Long, Message> unaccounted = new LinkedHashMap<>();
  private boolean isClosed;
  private boolean isBroken;

  /** A message that was handed over and not answered. */
  private record OnItsWay(long position, Message message, long sentAt) {}

  DividedClient(
      DividedWorld world, DividedRelay relay, Duration deliveryTimeMax, Outcomes outcomes) {
    this.world = world;
    this.relay = relay;
    this.deliveryNanosMax = deliveryTimeMax.toNanos();
    this.outcomes = outcomes;
  }

  boolean isOpen() {
    return !isClosed && relay.isAlive();
  }

  boolean isForgotten() {
    return isClosed && !hasOnItsWay();
  }

  boolean hasOnItsWay() {
    return !sent.isEmpty() || !arrived.isEmpty();
  }

  /** A process that is killed in here learns of it in the next call of its store. */
  @Override
  public void publish(long position, int attempt, Message message) {
    try {
      relay.checkAlive();
      relay.startsPublish();
      boolean wasInForce = relay.isInForce();
      relay.process().othersMove("in publish");
      relay.checkAlive();
      relay.process().mayCrash("before publish");
      send(position, message, wasInForce);
      relay.process().mayCrash("after publish");
    } catch (Crash crash) {
      world.tell(relay, () -> "is dead, and sends nothing");
    }
  }

  /**
   * Sends a message. After a pause between the last check and the socket its successor may have
   * settled it: that is excused, and nothing else that is sent without the right to.
   */
  private void send(long position, Message message, boolean wasInForce) {
    boolean isLate = wasInForce && !relay.isInForce();
    if (isLate) {
      mayRepeat("late", List.of(message.id()));
    } else {
      unaccounted.put(position, message);
      if (!wasInForce) {
        account("without the right to");
      }
    }
    if (isClosed || isBroken) {
      outcomes.report(position, Outcome.unavailable("the client is closed or broken"));
    } else {
      world.tell(relay, () -> "sends " + position + ", " + Words.message(message.id()));
      sent.add(new OnItsWay(position, message, world.time().nanos()));
    }
  }

  /** Lets something happen on the way. The network goes on for a process that is frozen. */
  void act() {
    boolean arrives = world.choices().chance(0.6);
    if (arrives && !sent.isEmpty()) {
      arrive(sent.removeFirst());
    } else if (relay.process().isFrozen() || !relay.isAlive()) {
      return;
    } else if (isLate(sent) || isLate(arrived)) {
      breakDown("it was not answered in time");
    } else if (!arrived.isEmpty()) {
      if (world.hasFaults() && world.choices().chance(world.plan().ackLost)) {
        breakDown("the answer was lost");
      } else {
        report(arrived.removeFirst(), Outcome.PUBLISHED);
      }
    }
  }

  private boolean isLate(Deque<OnItsWay> some) {
    OnItsWay first = some.peekFirst();
    return first != null && world.time().nanos() - first.sentAt() > deliveryNanosMax;
  }

  private void arrive(OnItsWay one) {
    world
        .journal()
        .write(new Entry.Arrived(TOPIC, world.cursors().nextArrival(), one.message().id()));
    arrived.add(one);
  }

  private void report(OnItsWay one, Outcome outcome) {
    outcomes.report(one.position(), outcome);
  }

  private void breakDown(String why) {
    isBroken = true;
    endAll(why);
  }

  @Override
  public void flush() {}

  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    if (!isClosed && relay.isAlive()) {
      isClosed = world.planted() != Planted.DIVIDED_CLIENT_LEFT_OPEN;
      account("client closed");
      endAll("the client was closed");
    }
  }

  /** Some of what is on its way arrives; what becomes of it is unknown. */
  private void endAll(String why) {
    leaveRemnants();
    List<OnItsWay> unknown = List.copyOf(arrived);
    List<OnItsWay> dropped = List.copyOf(sent);
    arrived.clear();
    sent.clear();
    unknown.forEach(one -> report(one, Outcome.unavailable(why)));
    dropped.forEach(one -> report(one, Outcome.unavailable(why)));
  }

  private void leaveRemnants() {
    while (!sent.isEmpty() && world.choices().chance(GOES_ON)) {
      arrive(sent.removeFirst());
    }
  }

  /** Its process was killed: some of what is in the network still arrives, nobody hears of it. */
  void processDied() {
    account("killed");
    leaveRemnants();
    sent.clear();
    arrived.clear();
    isClosed = true;
  }

  /** Forgets what it has sent: should that be sent again, it is not to be excused. */
  void allowNoDuplicates() {
    unaccounted.clear();
  }

  /** What was sent and is not settled may be sent again from now on. */
  void account(String why) {
    unaccounted.entrySet().removeIf(each -> isSettled(each.getKey(), each.getValue()));
    Collection<UUID> ids = unaccounted.values().stream().map(Message::id).toList();
    unaccounted.clear();
    if (!ids.isEmpty()) {
      mayRepeat(why, ids);
    }
  }

  private void mayRepeat(String why, Collection<UUID> ids) {
    world.journal().write(new Entry.Crashed(relay + ": " + why, ids.size()));
    ids.forEach(id -> world.journal().write(new Entry.MayRepeat(id)));
  }

  private boolean isSettled(long position, Message message) {
    return world.cursors().isSettled(position, message);
  }
}
