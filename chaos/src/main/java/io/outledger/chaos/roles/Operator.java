// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.OutledgerException;
import io.outledger.chaos.history.History;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.servers.Await;
import io.outledger.store.Start;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Does one thing a run: moves the shop's subscription back, by position or by time; has messages
 * replayed beside the others, stops that and resumes it; pauses and resumes; purges messages and
 * inboxes; retries and discards dead letters; makes, moves, renames and deletes a subscription of
 * its own. It never moves beyond what is settled, so nothing may be lost by it. What it allows the
 * others to do is taken down before it is asked for, and so is the id that it asks with.
 */
final class Operator implements Runnable {

  private static final int REPLAYED_MAX = 2_000;
  private static final Duration SETTLE_MAX = Duration.ofSeconds(30);
  private static final Duration SETTLE_PAUSE = Duration.ofMillis(200);

  private final Outledger outledger;
  private final RandomGenerator random;
  private final OperatorTables tables;
  private final Asking asking;
  private final SpareSubscription spare;
  private final DeadLetters deadLetters;
  private final ReplayJobs replays;
  private final BriefPause pause;
  private boolean mayBePaused = true;

  Operator(RoleSettings settings, Outledger outledger, History history, RandomGenerator random) {
    this.outledger = outledger;
    this.random = random;
    this.tables = new OperatorTables(settings.dataSource(), settings.sql());
    this.asking = new Asking(outledger.requests(), settings.asked());
    this.spare = new SpareSubscription(outledger, asking, settings.lease(), random);
    this.deadLetters = new DeadLetters(outledger.admin(), asking, history, random);
    this.replays = new ReplayJobs(outledger.admin(), asking, history, random);
    this.pause = new BriefPause(outledger.admin(), asking, random);
  }

  /** Fails softly: it is refused what cannot be, and its connection may be cut. */
  @Override
  public void run() {
    try {
      finish();
      act(random.nextInt(16));
    } catch (SQLException | OutledgerException e) {
      mayBePaused = true;
      RoleSettings.say("not done: " + e.getMessage());
    }
  }

  /** Leaves nothing paused and nothing without an answer, as far as the database answers. */
  void settle() {
    long began = System.nanoTime();
    mayBePaused = true;
    while ((mayBePaused || asking.isOpen()) && System.nanoTime() - began < SETTLE_MAX.toNanos()) {
      try {
        finish();
      } catch (OutledgerException e) {
        RoleSettings.say("not settled: " + e.getMessage());
        Await.pass(SETTLE_PAUSE);
      }
    }
  }

  /** Does to its end what it, or one who was killed, has begun. */
  private void finish() {
    asking.askAgain();
    if (mayBePaused) {
      pause.endAll();
      mayBePaused = false;
    }
  }

  private void act(int choice) throws SQLException {
    switch (choice) {
      case 0, 1 -> moveBack(false);
      case 2 -> moveBack(true);
      case 3, 4 -> outledger.retention().purgeMessages(Duration.ofSeconds(random.nextInt(1, 20)));
      case 5 -> purgeInbox();
      case 6, 7 -> deadLetters.retry();
      case 8 -> deadLetters.discard();
      case 9, 10 -> shop().ifPresent(one -> replays.chosen(one.cursor().lowest() - 1));
      case 11 -> shop().ifPresent(one -> replays.ofKey(one.cursor().lowest() - 1));
      case 12, 13, 14 -> pause.happen();
      default -> spare.live();
    }
  }

  private Optional<SubscriptionState> shop() {
    return outledger.admin().subscriptions().stream()
        .filter(one -> one.name().equals(RoleSettings.SUBSCRIPTION) && one.cursor().lowest() > 1)
        .findFirst();
  }

  /**
   * Everything below the lowest open position was settled when it looked. An earlier move may be
   * carried out since, and this one is then refused or reads less again: it passes over nothing.
   */
  private void moveBack(boolean isByTime) throws SQLException {
    Optional<SubscriptionState> shop = shop();
    if (shop.isEmpty()) {
      return;
    }
    long position = Math.max(1, shop.get().cursor().lowest() - random.nextInt(REPLAYED_MAX));
    Start start = Start.at(position);
    if (isByTime) {
      Optional<Start> byTime = tables.timeAt(position).map(Start::at);
      if (byTime.isEmpty()) {
        return; // a hole, or purged
      }
      start = byTime.get();
    }
    asking.ask(new Move(RoleSettings.SUBSCRIPTION, start));
  }

  /** Records that are old enough are made for it, of a consumer that is nobody. */
  private void purgeInbox() throws SQLException {
    tables.makeOldInboxRecords();
    outledger.retention().purgeInbox(tables.inboxAge());
  }
}
