// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.chaos.database.ShopSql;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.servers.Await;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Pauses a part of the shop's subscription for a moment, and resumes it: so does the operator who
 * comes after one that was killed between.
 */
record BriefPause(Admin admin, Asking asking, RandomGenerator random) {

  private static final Duration ALL_MAX = Duration.ofMillis(400);
  private static final Duration PART_MAX = Duration.ofMillis(1_500);

  void happen() {
    PauseScope what = some();
    asking.ask(new Verb.Pause(RoleSettings.SUBSCRIPTION, what));
    Duration most = what.equals(PauseScope.subscription()) ? ALL_MAX : PART_MAX;
    Await.pass(Duration.ofMillis(random.nextLong(most.toMillis())));
    endAll();
  }

  /** Resumes all that is paused, and returns whether anything was. */
  boolean endAll() {
    List<Paused> paused =
        admin.subscriptions().stream()
            .filter(one -> one.name().equals(RoleSettings.SUBSCRIPTION))
            .map(SubscriptionState::pauses)
            .flatMap(List::stream)
            .toList();
    paused.forEach(one -> asking.ask(new Verb.Resume(RoleSettings.SUBSCRIPTION, one.scope())));
    return !paused.isEmpty();
  }

  private PauseScope some() {
    return switch (random.nextInt(5)) {
      case 0 -> PauseScope.subscription();
      case 1 -> PauseScope.route(random.nextBoolean() ? RelayMain.ACCOUNTS : RelayMain.REFUSED);
      case 2 -> PauseScope.topic(RoleSettings.TOPIC);
      default -> PauseScope.key("a" + random.nextInt(1, ShopSql.ACCOUNTS + 1));
    };
  }
}
