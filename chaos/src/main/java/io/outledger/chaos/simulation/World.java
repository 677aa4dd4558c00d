// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.chaos.history.Entry;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.InMemorySubscription;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All that there is in one run, and whose turn it is. */
final class World {

  private static final int DEPTH_MAX = 3;
  private static final long GATE = 0x736c_6f74_73L;

  private final Choices choices;
  private final Choices gate;
  private final Plan plan;
  private final AnswerOrder answerOrder;
  private final Teller teller;
  private final SimulatedTime time;
  private final InMemoryLedger ledger;
  private final Writers writers;
  private final Happenings happenings = new Happenings();
  private final List<SimulatedSubscription> subscriptions = new ArrayList<>();
  private final Map<UUID, String> topics = new LinkedHashMap<>();
  private final Map<UUID, Entry.Wrote> written = new LinkedHashMap<>();
  private final Set<UUID> forgotten = new HashSet<>();
  private final Standby standby = new Standby(this);
  private final Retention retention = new Retention(this);
  private final List<SimulatedSubscription> deleted = new ArrayList<>();
  private final Planted planted;
  private final Troubles troubles;
  private final NestedTurns others;
  private boolean hasFaults = true;
  private boolean isEnding;
  private long ids;

  World(Choices choices, SimulatedTime time, Teller teller, Planted planted) {
    this.planted = planted;
    this.choices = choices;
    this.time = time;
    this.teller = teller;
    gate = choices.overflow(GATE);
    plan = new Plan(choices);
    answerOrder = new AnswerOrder(this);
    troubles = new Troubles(this);
    others = new NestedTurns(time, DEPTH_MAX, this::act);
    ledger = new InMemoryLedger(time.database());
    writers = new Writers(this);
    plan.subscriptions.forEach(terms -> subscribe(terms, Start.EARLIEST, Set.of()));
  }

  Choices choices() {
    return choices;
  }

  /** Returns what is left to chance of a gate. */
  Choices gate() {
    return gate;
  }

  Plan plan() {
    return plan;
  }

  AnswerOrder answerOrder() {
    return answerOrder;
  }

  SimulatedTime time() {
    return time;
  }

  InMemoryLedger ledger() {
    return ledger;
  }

  Writers writers() {
    return writers;
  }

  Standby standby() {
    return standby;
  }

  Retention retention() {
    return retention;
  }

  /** Returns the subscriptions that there are now. */
  List<SimulatedSubscription> subscriptions() {
    return subscriptions;
  }

  /** Returns the one that was made late, unless there is none now. */
  Optional<SimulatedSubscription> late() {
    return subscriptions.stream().filter(one -> one.terms() == plan.late).findFirst();
  }

  private Stream<SimulatedSubscription> all() {
    return Stream.concat(subscriptions.stream(), deleted.stream());
  }

  /** Returns all routes, also of subscriptions that were deleted. */
  List<SimulatedRoute> routes() {
    return all().flatMap(one -> one.routes().stream()).toList();
  }

  /** Returns what a test has planted. */
  Planted planted() {
    return planted;
  }

  Happenings happenings() {
    return happenings;
  }

  boolean hasFaults() {
    return hasFaults;
  }

  /** Returns whether no relay is to be started any more. */
  boolean isEnding() {
    return isEnding;
  }

  /** Asks every relay to stop. */
  void stopRelays() {
    isEnding = true;
    subscriptions.forEach(one -> one.relays().forEach(RelayProcess::stop));
  }

  void tell(Object who, Supplier<String> what) {
    teller.tell(who, what);
  }

  void note(Happening happening) {
    happenings.note(happening);
  }

  Message.Builder message(String topic, String type) {
    UUID id = new UUID(0x7000L, 0x8000_0000_0000_0000L | ++ids);
    topics.put(id, topic);
    return Message.to(topic, type).id(id).time(time.database().now());
  }

  /** A writer's word on a message, which concerns each subscription that wants its topic. */
  void wrote(Entry.Wrote word) {
    written.put(word.id(), word);
    all()
        .filter(subscription -> subscription.wants(word.id(), topics.get(word.id())))
        .forEach(subscription -> subscription.write(word));
  }

  /**
   * Makes a subscription after the others. It is to have what becomes visible from now on or, from
   * the earliest, all that is left.
   */
  void subscribeLate() {
    Set<UUID> before = new HashSet<>(forgotten);
    before.addAll(retention.removedIds());
    boolean now = choices.chance(0.6);
    if (now) {
      ledger.messages().forEach(one -> before.add(one.message().id()));
    }
    tell("operator", () -> "subscribes late, " + (now ? "from now on" : "from the earliest"));
    note(
        deleted.isEmpty()
            ? Happening.SUBSCRIPTION_STARTED_LATE
            : Happening.SUBSCRIPTION_MADE_AGAIN);
    subscribe(plan.late, now ? Start.NOW : Start.EARLIEST, before);
    standby.forget();
    SimulatedSubscription late = subscriptions.get(subscriptions.size() - 1);
    written.values().stream()
        .filter(word -> late.wants(word.id(), topics.get(word.id())))
        .forEach(late::write);
  }

  private void subscribe(Terms terms, Start start, Set<UUID> before) {
    subscriptions.add(
        new SimulatedSubscription(
            new SimulatedSubscription.Origin(terms, deleted.size(), start, before),
            this,
            name -> new Journal(name, teller)));
  }

  /**
   * A subscription was deleted. What it had settled is judged at the end; what it had sent is taken
   * by its consumers once the faults are over.
   *
   * @param before as the ledger had it
   */
  void deleted(SimulatedSubscription subscription, InMemorySubscription before) {
    List<LedgerMessage> visible = new ArrayList<>(ledger.messages());
    visible.addAll(retention.removed());
    subscription.wasDeleted(before, visible);
    subscriptions.remove(subscription);
    deleted.add(subscription);
    standby.forget();
  }

  /** The relays' clients have handed over what a restored database may know nothing of. */
  void restored(Set<UUID> lost) {
    forgotten.addAll(lost);
    all().forEach(SimulatedSubscription::restored);
  }

  /** Somebody takes a turn. */
  void act() {
    int turn = choices.between(1, 100);
    SimulatedSubscription subscription = choices.pick(subscriptions);
    if (turn <= 20) {
      writers.act();
    } else if (turn <= 52) {
      choices.pick(subscription.relays()).act();
    } else if (turn <= 79) {
      choices.pick(subscription.routes()).broker().act();
    } else if (turn <= 87) {
      choices.pick(subscription.routes()).consumer().act();
    } else if (turn <= 97 || !hasFaults) {
      time.pass(choices.millis(0, choices.chance(0.1) ? plan.waitMillisMax : 10));
    } else if (turn == 98) {
      retention.act();
    } else {
      troubles.act(subscription);
    }
  }

  /** Lets others take turns while somebody is in the middle of something. */
  void interleave() {
    if (hasFaults && choices.chance(plan.interleaved)) {
      others.take(choices.between(1, 6));
    }
  }

  NestedTurns others() {
    return others;
  }

  /** Ends all faults; what is open ends as its owner meant it to. */
  void endFaults() {
    hasFaults = false;
    subscriptions.forEach(SimulatedSubscription::heal);
    writers.finish();
    deleted.forEach(SimulatedSubscription::consumeAll);
    tell("world", () -> "all faults are over");
  }

  boolean isDrained() {
    return subscriptions.stream().allMatch(SimulatedSubscription::isDrained);
  }

  boolean isConsumerOnStack() {
    return routes().stream().anyMatch(route -> route.consumer().isOnStack());
  }

  /** Writes down what the database holds, and what is left over. */
  void writeEndState() {
    all()
        .forEach(
            subscription -> {
              ledger.messages().forEach(subscription::stored);
              retention.removed().forEach(subscription::stored);
              subscription.writeEndState();
            });
  }
}
