// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.chaos.database.ShopSql;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.history.History;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.admin.LedgerEntry;
import io.outledger.jdbc.admin.MessageQuery;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.ResumeReplay;
import io.outledger.jdbc.admin.Verb;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Settled messages of the shop, which the operator has published once more beside the others. */
record ReplayJobs(Admin admin, Asking asking, History history, RandomGenerator random) {

  private static final int CHOSEN_MAX = 200;
  private static final int BACK_MAX = 20_000;

  /** How many a replay has wait for their owner at once. */
  private static final int WAITING_MAX = 1_000;

  private static final int PER_SECOND = 200;

  /** Asks for single ones, by their ids: none of accounts whose messages are refused. */
  void chosen(long settled) {
    List<LedgerEntry> page =
        admin
            .messages(
                MessageQuery.ALL
                    .after(Math.max(0, settled - random.nextInt(1, BACK_MAX)))
                    .withLimit(random.nextInt(1, CHOSEN_MAX)))
            .rows()
            .stream()
            .filter(one -> one.position() <= settled && !isRefused(one))
            .toList();
    if (page.isEmpty()) {
      return;
    }
    List<UUID> ids = page.stream().map(one -> UUID.fromString(one.message().id())).toList();
    long first = page.get(0).position();
    long last = page.get(page.size() - 1).position();
    ask(
        RelayMain.ACCOUNTS,
        ReplayRange.positions(first, last).withIds(ids),
        Pace.UNLIMITED,
        ids.size());
  }

  /**
   * Asks for all of an account, some at a time; may stop that before all is done, and resume it.
   */
  void ofKey(long settled) {
    boolean isRefused = random.nextBoolean();
    String key =
        isRefused
            ? "r" + random.nextInt(1, ShopSql.REFUSED + 1)
            : "a" + random.nextInt(1, ShopSql.ACCOUNTS + 1);
    long first = Math.max(1, settled - random.nextInt(1, BACK_MAX));
    RequestStatus begun =
        ask(
            isRefused ? RelayMain.REFUSED : RelayMain.ACCOUNTS,
            ReplayRange.positions(first, settled).withKey(key),
            new Pace(PER_SECOND, random.nextInt(5)),
            settled - first + 1);
    if (random.nextInt(3) == 0) {
      Await.pass(Duration.ofMillis(random.nextInt(1_000)));
      asking.stop(begun.id());
      if (random.nextBoolean()) {
        resume(begun.id());
      }
    }
  }

  /** What its owner had in its hands when it was stopped may arrive twice. */
  private void resume(UUID replay) {
    history.write(new Entry.Crashed("the operator resumed a replay", WAITING_MAX));
    asking.ask(new ResumeReplay(RoleSettings.SUBSCRIPTION, replay));
  }

  /** Each may arrive once more, and again where its owner dies with it in its hands. */
  private RequestStatus ask(String route, ReplayRange range, Pace pace, long messagesMax) {
    history.write(new Entry.Crashed("the operator replayed", messagesMax));
    history.write(new Entry.Crashed("an owner of what is replayed", messagesMax));
    return asking.ask(new Verb.Replay(RoleSettings.SUBSCRIPTION, route, range, pace));
  }

  private static boolean isRefused(LedgerEntry one) {
    return RelayMain.isRefused(one.message().key());
  }
}
