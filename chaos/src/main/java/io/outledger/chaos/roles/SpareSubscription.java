// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Skip;
import io.outledger.jdbc.admin.Verb;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.handler.MessageHandler;
import io.outledger.servers.Await;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The operator's own subscription: made, read for a moment, moved back and forth, stopped, renamed
 * there and back, and deleted, while the shop's goes on. As long as it is there, it holds back
 * purges.
 */
record SpareSubscription(
    Outledger outledger, Asking asking, Duration lease, RandomGenerator random) {

  private static final String NAME = "spare";
  private static final String RENAMED = "spare-renamed";
  private static final MessageHandler TAKEN = message -> {};
  private static final Duration DELETED_WITHIN = Duration.ofSeconds(5);

  /** Lives its whole life, after what an operator that was killed has left of it is deleted. */
  void live() {
    if (isThere(RENAMED)) {
      asking.ask(Verb.Rename.subscription(RENAMED, NAME));
    }
    if (isThere(NAME)) {
      delete();
    }
    RunningRelay relay =
        outledger
            .relay(NAME)
            .handlerWithoutTransaction("taken", TAKEN)
            .from(random.nextBoolean() ? Start.NOW : Start.EARLIEST)
            .options(options -> options.lease(lease))
            .start();
    try (relay) {
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        Await.pass(Duration.ofMillis(random.nextInt(100, 500)));
        if (isThere(NAME)) {
          asking.ask(
              random.nextBoolean() ? new Skip(NAME, Start.NOW) : new Move(NAME, Start.EARLIEST));
        }
      }
    }
    if (random.nextBoolean()) {
      asking.ask(Verb.Rename.subscription(NAME, RENAMED));
      asking.ask(Verb.Rename.subscription(RENAMED, NAME));
    }
    delete();
  }

  private void delete() {
    asking.ask(new Verb.Delete(NAME), DELETED_WITHIN);
  }

  private boolean isThere(String name) {
    return outledger.admin().subscriptions().stream().anyMatch(one -> one.name().equals(name));
  }
}
