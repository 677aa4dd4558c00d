// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.chaos.history.Entry;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A client of the model broker. Pipelined, it keeps the order within a partition as an idempotent
 * producer does: nothing is taken before what was handed over earlier has been taken or rejected.
 * The answers may come in another order, and rejections before anything was sent.
 */
final class ModelClient implements PublisherClient {

  private final World world;
  private final SimulatedRoute route;
  private final RelayProcess process;
  private final Duration deliveryTimeMax;
  private final Outcomes outcomes;
  private final List<Sent> sent = new ArrayList<>();
  private final Map<Long, UUID> unaccounted = new LinkedHashMap<>();
  private boolean isBroken;
  private boolean isClosed;

  /** A message without an answer whose follower has had its own. */
  private @Nullable Sent passed;

  ModelClient(World world, RouteSender sender, Duration deliveryTimeMax, Outcomes outcomes) {
    this.world = world;
    this.route = sender.route();
    this.process = sender.process();
    this.deliveryTimeMax = deliveryTimeMax;
    this.outcomes = outcomes;
  }

  /** A process that is killed in here learns of it in the next call of its store. */
  @Override
  public void publish(long position, int attempt, Message message) {
    try {
      process.checkAlive();
      send(position, message);
    } catch (Crash crash) {
      process.checkDead();
    }
  }

  private void send(long position, Message message) {
    process.startsPublish(route, message);
    process.othersMove("in publish");
    process.mayCrash("before publish");
    unaccounted.put(position, message.id());
    Sent one =
        new Sent(
            position,
            message,
            world.time().nanos(),
            route.broker().answer(message),
            route.broker().time(message));
    world.tell(process, () -> sends(one));
    noteOvertaking(one);
    one.isAnswered = isClosed || isBroken; // then it never leaves, whatever happens
    sent.add(one);
    if (process.knowsLostDatabase() || process.isSucceeded()) {
      accountForLate(message.id());
    }
    process.mayCrash("after publish");
    if (isClosed || isBroken) {
      report(one, Outcome.unavailable("the client is closed or broken"));
    } else if (isPipelined() && !one.isAccepted() && world.answerOrder().comesEarly()) {
      answerEarly(one);
    }
  }

  @Override
  public void flush() {}

  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    if (isClosed || !process.isAlive()) {
      return;
    }
    isClosed = world.planted() != Planted.CLIENT_LEFT_OPEN;
    account("client closed");
    leaveRemnants();
    for (Sent one : List.copyOf(sent)) {
      report(one, Outcome.unavailable("the client was closed"));
    }
  }

  void databaseRestored() {
    unaccounted.clear();
  }

  /** These are settled in a route: should one be sent again, that is not for what was before. */
  void settled(SimulatedRoute in, Set<Long> positions) {
    if (route == in) {
      unaccounted.keySet().removeAll(positions);
    }
  }

  boolean isOpen() {
    return !isClosed && process.isAlive();
  }

  boolean isIdle() {
    return sent.isEmpty();
  }

  boolean isForgotten() {
    return isClosed && sent.isEmpty();
  }

  RelayProcess process() {
    return process;
  }

  /**
   * What the relay has sent and not saved may be sent again from now on: duplicates are its right.
   */
  void account(String why) {
    unaccounted.keySet().removeIf(position -> !route.isUnsettled(position));
    route.mayRepeat(process + ": " + why, unaccounted.values());
    unaccounted.clear();
  }

  /** A pause between the last check and the socket: a successor may have published it already. */
  private void accountForLate(UUID id) {
    unaccounted.clear();
    route.mayRepeat(process + " is late", List.of(id));
  }

  /**
   * Forgets what it has sent: should that be sent again, it is not to be excused. But for what
   * another route has not settled: it is read again, for all routes.
   */
  void allowNoDuplicates() {
    unaccounted.clear();
  }

  /** The relay starts a step after which it knows of the rejections reported so far. */
  void rejectionsBecomeKnown(Set<Sent> reported) {
    reported.forEach(one -> one.isRejectionUnknown = false);
    rejected.removeAll(reported);
  }

  Set<Sent> rejectionsReported() {
    return Set.copyOf(rejected);
  }

  /** Its process was killed: some of what is in the network still arrives, nobody hears of it. */
  void processDied() {
    account("killed");
    leaveRemnants();
    sent.clear();
    isClosed = true;
  }

  /** Lets something happen on the way of one message. */
  void act() {
    if (sent.isEmpty() || process.isFrozen()) {
      return;
    }
    if (isBroken) {
      report(world.choices().pick(sent), Outcome.unavailable("another message's fate is unknown"));
      return;
    }
    if (!route.broker().isReachable() || isExpired(sent.get(0))) {
      if (isExpired(sent.get(0)) || world.choices().chance(0.1)) {
        breakDown(sent.get(0), "the broker cannot be reached");
      }
      return;
    }
    if (passed != null && sent.contains(passed) && world.answerOrder().losesTheEarlier()) {
      breakDown(passed, "its fate is unknown, though its follower was answered");
      return;
    }
    // A broker in health does not let a full window wait until most of it has expired.
    Sent one = world.hasFaults() ? world.choices().pick(sent) : sent.get(0);
    if (world.time().nanos() < one.answeredFrom) {
      return;
    }
    if (mayOvertakeAnAnswer(one) && world.answerOrder().comesEarly()) {
      answerEarly(one);
    } else if (!one.isAnswered) {
      arrive(one);
    } else if (world.hasFaults() && world.choices().chance(world.plan().ackLost)) {
      world.note(Happening.ACKNOWLEDGEMENT_LOST);
      breakDown(one, "acknowledgement lost");
    } else if (isNextToBeReported(one)) {
      answer(one);
    }
  }

  private void answer(Sent one) {
    if (one.isAccepted()) {
      route.journal().write(new Entry.Acknowledged(one.id()));
    }
    report(one, one.answer);
  }

  /**
   * What the broker took after others has been taken for certain; a rejection may come any time.
   */
  private boolean mayOvertakeAnAnswer(Sent one) {
    return isPipelined() && one != firstOfPartition(one) && (one.isAnswered || !one.isAccepted());
  }

  private void answerEarly(Sent one) {
    Sent first = firstOfKey(one);
    if (first != one) {
      passed = first;
      world.note(one.isAccepted() ? Happening.ACKNOWLEDGED_EARLY : Happening.REJECTED_EARLY);
    }
    one.isAnswered = true;
    answer(one);
  }

  private final Set<Sent> rejected = new LinkedHashSet<>();

  private void arrive(Sent one) {
    if (isPipelined()) {
      one = first(one);
    }
    if (!one.isAnswered) {
      one.isAnswered = true;
      if (one.isAccepted()) {
        route.broker().take(one);
      }
    }
  }

  private boolean isNextToBeReported(Sent one) {
    return !isPipelined() || one == firstOfPartition(one);
  }

  private boolean isPipelined() {
    return route.subscription().terms().keyOrder == KeyOrder.PIPELINED;
  }

  /** Returns the first of its partition that has not reached the broker. */
  private Sent first(Sent one) {
    for (Sent other : sent) {
      if (!other.isAnswered && isSamePartition(one, other)) {
        return other;
      }
    }
    return one;
  }

  private Sent firstOfPartition(Sent one) {
    for (Sent other : sent) {
      if (isSamePartition(one, other)) {
        return other;
      }
    }
    return one;
  }

  private Sent firstOfKey(Sent one) {
    for (Sent other : sent) {
      if (one.hasKey(other.message.key())) {
        return other;
      }
    }
    return one;
  }

  private static boolean isSamePartition(Sent one, Sent other) {
    return ModelBroker.partition(one.message) == ModelBroker.partition(other.message);
  }

  private boolean isExpired(Sent one) {
    return world.time().nanos() - one.handedAt > deliveryTimeMax.toNanos();
  }

  private static String sends(Sent one) {
    return "sends %d, %s, whose answer will be %s"
        .formatted(one.position, Words.message(one.id()), one.answer);
  }

  private void breakDown(Sent one, String why) {
    isBroken = true;
    leaveRemnants();
    report(one, Outcome.unavailable(why));
  }

  private void report(Sent one, Outcome outcome) {
    sent.remove(one);
    if (outcome instanceof Outcome.Rejected) {
      rejected.add(one);
    }
    world.tell(process, () -> "hears of " + one.position + ": " + outcome);
    outcomes.report(one.position, outcome);
  }

  /** Of what is on its way in each partition, the first few arrive, and the rest is dropped. */
  private void leaveRemnants() {
    for (int partition = 0; partition < ModelBroker.PARTITIONS; partition++) {
      boolean goesOn = true;
      for (Sent one : sent) {
        if (ModelBroker.partition(one.message) == partition && !one.isAnswered) {
          goesOn &= world.choices().chance(0.6);
          one.isAnswered = true;
          if (goesOn && one.isAccepted()) {
            route.broker().take(one);
          }
        }
      }
    }
  }

  private void noteOvertaking(Sent follower) {
    String key = follower.message.key();
    if (!isPipelined() || key == null) {
      return;
    }
    List<Sent> before = new ArrayList<>(sent);
    before.addAll(rejected);
    for (Sent one : before) {
      if (one.isRejectionUnknown && one.hasKey(key)) {
        route.journal().write(new Entry.Overtaken(one.id(), follower.id()));
      }
    }
  }
}
