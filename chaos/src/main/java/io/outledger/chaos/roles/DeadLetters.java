// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.chaos.history.Entry;
import io.outledger.chaos.history.History;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.Parked;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.store.ParkedState;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Dead letters of the shop, which the operator has tried again, or discards. */
record DeadLetters(Admin admin, Asking asking, History history, RandomGenerator random) {

  private static final Reader SHOP = Reader.subscription(RoleSettings.SUBSCRIPTION);
  private static final ParkedSelection DEAD = ParkedSelection.of(ParkedState.DEAD);
  private static final int LISTED_MAX = 100;

  /** Asks for all of them at once, or for each. */
  void retry() {
    List<Parked> dead = dead();
    if (dead.isEmpty()) {
      return;
    }
    // A replay may have published it already.
    history.write(new Entry.Crashed("the operator retried", dead.size()));
    if (random.nextBoolean() && dead.size() < LISTED_MAX) {
      asking.ask(new Verb.Retry(SHOP, new Which.Selected(DEAD), Pace.UNLIMITED));
    } else {
      dead.forEach(one -> asking.ask(new Verb.Retry(SHOP, place(one), Pace.UNLIMITED)));
    }
  }

  /** Asks for one. */
  void discard() {
    List<Parked> dead = dead();
    if (!dead.isEmpty()) {
      Parked one = dead.get(random.nextInt(dead.size()));
      history.write(new Entry.Discarded(UUID.fromString(one.message().id())));
      asking.ask(new Verb.Discard(SHOP, place(one), Pace.UNLIMITED));
    }
  }

  private static Which place(Parked one) {
    return new Which.Place(one.place().ofSubscription());
  }

  private List<Parked> dead() {
    return admin.parked(ParkedQuery.of(SHOP).with(DEAD).withLimit(LISTED_MAX)).rows();
  }
}
