// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.OutledgerException;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.history.History;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Does one thing a run: moves the shop's subscription back, by position or by time; purges messages
 * and inboxes; retries and discards dead letters; makes, moves and deletes a subscription of its
 * own. It never moves beyond what is settled, so nothing may be lost by it. What it allows the
 * others to do is taken down before it is asked for.
 */
final class Operator implements Runnable {

  private static final int REPLAYED_MAX = 2_000;
  private static final int LISTED_MAX = 100;

  private final RoleSettings settings;
  private final Outledger outledger;
  private final History history;
  private final RandomGenerator random;
  private final OperatorTables tables;
  private final SpareSubscription spare;

  Operator(RoleSettings settings, Outledger outledger, History history, RandomGenerator random) {
    this.settings = settings;
    this.outledger = outledger;
    this.history = history;
    this.random = random;
    this.tables = new OperatorTables(settings.dataSource(), settings.sql());
    this.spare = new SpareSubscription(outledger, settings.lease(), random);
  }

  /** Fails softly: it is refused what cannot be, and its connection may be cut. */
  @Override
  public void run() {
    try {
      act(random.nextInt(10));
    } catch (SQLException | OutledgerException e) {
      RoleSettings.say("not done: " + e.getMessage());
    }
  }

  private void act(int choice) throws SQLException {
    switch (choice) {
      case 0, 1 -> replay(false);
      case 2 -> replay(true);
      case 3, 4 -> outledger.retention().purgeMessages(Duration.ofSeconds(random.nextInt(1, 20)));
      case 5 -> purgeInbox();
      case 6, 7 -> retry();
      case 8 -> discard();
      default -> spare.live();
    }
  }

  /** Everything below the lowest open position is settled: from there back, nothing is skipped. */
  private void replay(boolean isByTime) throws SQLException {
    Optional<SubscriptionState> shop =
        outledger.admin().subscriptions().stream()
            .filter(one -> one.name().equals(RoleSettings.SUBSCRIPTION))
            .findFirst();
    if (shop.isEmpty()) {
      return;
    }
    long lowest = shop.get().cursor().lowest();
    long position = Math.max(1, lowest - random.nextInt(REPLAYED_MAX));
    Start start = Start.at(position);
    if (isByTime) {
      Optional<Start> byTime = tables.timeAt(position).map(Start::at);
      if (byTime.isEmpty()) {
        return; // a hole, or purged
      }
      start = byTime.get();
    }
    MoveLog.Move begun = MoveLog.Move.begin(isByTime ? MoveLog.SOMEWHERE : position);
    outledger.subscriptions().move(RoleSettings.SUBSCRIPTION, start);
    settings.moves().write(begun.end());
  }

  /** Records that are old enough are made for it, of a consumer that is nobody. */
  private void purgeInbox() throws SQLException {
    tables.makeOldInboxRecords();
    outledger.retention().purgeInbox(tables.inboxAge());
  }

  private void retry() {
    ParkedMessages parked = outledger.parkedMessages(RoleSettings.SUBSCRIPTION);
    List<Parked> dead = dead();
    if (dead.isEmpty()) {
      return;
    }
    // A replay may have published it already.
    history.write(new Entry.Crashed("the operator retried", dead.size()));
    if (random.nextBoolean() && dead.size() < LISTED_MAX) {
      parked.retryAll();
    } else {
      dead.forEach(one -> parked.retry(one.place().number(), one.place().route()));
    }
  }

  private void discard() {
    ParkedMessages parked = outledger.parkedMessages(RoleSettings.SUBSCRIPTION);
    List<Parked> dead = dead();
    if (!dead.isEmpty()) {
      Parked one = dead.get(random.nextInt(dead.size()));
      history.write(new Entry.Discarded(UUID.fromString(one.message().id())));
      parked.discard(one.place().number(), one.place().route());
    }
  }

  private List<Parked> dead() {
    ParkedQuery dead =
        ParkedQuery.of(Reader.subscription(RoleSettings.SUBSCRIPTION))
            .with(ParkedSelection.of(ParkedState.DEAD))
            .withLimit(LISTED_MAX);
    return outledger.admin().parked(dead).rows();
  }
}
