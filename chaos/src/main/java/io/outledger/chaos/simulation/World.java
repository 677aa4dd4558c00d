// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.Message;
import io.outledger.chaos.history.Entry;
import io.outledger.store.ParkedState;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.InMemorySubscription;
import io.outledger.testing.ParkedRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All that there is in one run, and whose turn it is. */
final class World {

  static final String SUBSCRIPTION = "shop";

  private static final int DEPTH_MAX = 3;

  private final Choices choices;
  private final Plan plan;
  private final Journal journal;
  private final SimulatedTime time;
  private final InMemoryLedger ledger;
  private final ModelBroker broker;
  private final Writers writers;
  private final ConsumerProcess consumer;
  private final List<RelayProcess> relays = new ArrayList<>();
  private final Set<UUID> sent = new HashSet<>();
  private final Standby standby = new Standby(this);
  private boolean hasFaults = true;
  private int depth;
  private long ids;
  private long publishes;
  private int restores;
  private @Nullable UUID owner;

  World(Choices choices, SimulatedTime time, Journal journal) {
    this.choices = choices;
    this.time = time;
    this.journal = journal;
    plan = new Plan(choices);
    ledger = new InMemoryLedger(time.database());
    broker = new ModelBroker(this);
    writers = new Writers(this);
    consumer = new ConsumerProcess(this);
    for (int i = 1; i <= plan.relays; i++) {
      relays.add(new RelayProcess(this, "relay-" + i));
    }
  }

  Choices choices() {
    return choices;
  }

  Plan plan() {
    return plan;
  }

  Journal journal() {
    return journal;
  }

  SimulatedTime time() {
    return time;
  }

  InMemoryLedger ledger() {
    return ledger;
  }

  ModelBroker broker() {
    return broker;
  }

  Writers writers() {
    return writers;
  }

  ConsumerProcess consumer() {
    return consumer;
  }

  List<RelayProcess> relays() {
    return relays;
  }

  boolean hasFaults() {
    return hasFaults;
  }

  @Nullable UUID owner() {
    return owner;
  }

  UUID nextId() {
    return new UUID(0x7000L, 0x8000_0000_0000_0000L | ++ids);
  }

  Message.Builder message(String topic, String type) {
    return Message.to(topic, type).id(nextId()).time(time.database().now());
  }

  InMemorySubscription subscription() {
    return ledger.subscription(SUBSCRIPTION);
  }

  /** A restored database has numbers of its own. */
  void savedCursor(long n, UUID by) {
    journal.write(new Entry.Changed("cursor " + restores, n, by.toString()));
  }

  /** The relays' clients have handed over what a restored database may know nothing of. */
  void restored() {
    restores++;
    relays.forEach(RelayProcess::databaseRestored);
  }

  /** Returns whether a message that was sent may be sent again, as the database has it. */
  boolean isUnsettled(long position) {
    return !subscription().frontier().isSettled(position)
        || subscription().parked().stream().anyMatch(row -> row.message().position() == position);
  }

  void tookOver(RelayProcess process, long n, UUID successor) {
    relays.stream().filter(other -> other != process).forEach(RelayProcess::accountForSuccession);
    owner = successor;
    savedCursor(n, successor);
    journal.write(new Entry.Changed("right to publish", ++publishes, successor.toString()));
  }

  Standby standby() {
    return standby;
  }

  boolean wasSent(UUID id) {
    return sent.contains(id);
  }

  void sends(Message message) {
    sent.add(message.id());
  }

  void publishes(String incarnation) {
    journal.write(new Entry.Changed("right to publish", ++publishes, incarnation));
  }

  /** Somebody takes a turn. */
  void act() {
    int turn = choices.between(1, 100);
    if (turn <= 25) {
      writers.act();
    } else if (turn <= 55) {
      choices.pick(relays).act();
    } else if (turn <= 80) {
      broker.act();
    } else if (turn <= 88) {
      consumer.act();
    } else if (turn <= 98 || !hasFaults) {
      time.pass(choices.millis(0, choices.chance(0.1) ? 200 : 10));
    } else {
      new Troubles(this).act();
    }
  }

  /** Lets others take turns while somebody is in the middle of something. */
  void interleave() {
    if (hasFaults && choices.chance(plan.interleaved)) {
      turns(choices.between(1, 6));
    }
  }

  void turns(int count) {
    if (depth < DEPTH_MAX) {
      depth++;
      for (int turn = 0; turn < count; turn++) {
        act();
      }
      depth--;
    }
  }

  /** Lets a long time pass for everybody else while somebody is frozen. */
  void runFor(Duration duration) {
    if (depth >= DEPTH_MAX) {
      return;
    }
    depth++;
    long until = time.nanos() + duration.toNanos();
    while (time.nanos() < until) {
      act();
      time.pass(duration.dividedBy(60));
    }
    depth--;
  }

  /** Ends all faults; what is open ends as its owner meant it to. */
  void endFaults() {
    hasFaults = false;
    broker.mend();
    relays.forEach(RelayProcess::heal);
    writers.finish();
    journal.tell(() -> "all faults are over");
  }

  /** Returns whether everything that was committed has come to its end everywhere. */
  boolean isDrained() {
    InMemorySubscription subscription = subscription();
    return subscription.frontier().open().isEmpty()
        && ledger.messages().stream().allMatch(m -> subscription.frontier().isSettled(m.position()))
        && subscription.parked().stream().allMatch(this::isAtItsEnd)
        && relays.stream().allMatch(RelayProcess::isIdle)
        && consumer.isDone();
  }

  /** Writes down what the database holds. */
  void writeEndState() {
    consumer.writeEndState();
    ledger.messages().stream()
        .filter(one -> !one.message().topic().equals(Plan.NOISE))
        .forEach(one -> journal.write(new Entry.Stored(one.message().id(), one.position())));
    for (ParkedRow row : subscription().parked()) {
      boolean isDead = row.message().state() == ParkedState.DEAD;
      journal.write(new Entry.Parked(row.message().message().id(), isDead, row.message().blocks()));
    }
    journal.write(
        new Entry.Cursor(subscription().frontier().high(), subscription().frontier().open()));
    long clients = relays.stream().mapToLong(RelayProcess::openClients).sum();
    journal.write(new Entry.Left("clients", clients, 0));
  }

  private boolean isAtItsEnd(ParkedRow row) {
    if (row.message().state() == ParkedState.DEAD) {
      return row.request() == ParkedRow.Request.NONE;
    }
    String key = row.message().message().key();
    return subscription().parked().stream()
        .map(ParkedRow::message)
        .anyMatch(
            other ->
                other.state() == ParkedState.DEAD
                    && other.blocks()
                    && key != null
                    && key.equals(other.message().key()));
  }
}
