// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.history.Entry;
import io.outledger.chaos.shop.Role;
import io.outledger.chaos.shop.Shop;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Where a fault happens.
 *
 * @param shop to whom
 * @param owner the relay that owns the subscription, with work in flight
 * @param random where choices come from
 * @param holds what is held open while other things happen
 * @param observed what the checker is told
 */
public record Scene(
    Shop shop, String owner, RandomGenerator random, Holds holds, Consumer<Entry> observed) {

  /** Looks where the shop stands. */
  ShopState state() {
    return shop.state();
  }

  /** Returns one of them. */
  String one(List<String> names) {
    return names.get(random.nextInt(names.size()));
  }

  /** Returns a relay that stands by. */
  String standby() {
    return one(shop.cast().relays().stream().filter(name -> !name.equals(owner)).toList());
  }

  /** Returns a time between two numbers of milliseconds. */
  Duration between(long leastMs, long mostMs) {
    return Duration.ofMillis(random.nextLong(leastMs, mostMs + 1));
  }

  /** Returns a time of two to three leases. */
  Duration leases() {
    long leaseMs = shop.lease().toMillis();
    return between(2 * leaseMs, 3 * leaseMs);
  }

  /** Returns how much is in flight with a role, by a look just before and one just after. */
  static long inFlight(String role, ShopState before, ShopState after) {
    return switch (Role.of(role)) {
      case WRITER -> before.writing();
      case CONSUMER -> Math.max(before.withoutEffect(), after.withoutEffect());
      case RELAY, OPERATOR -> after.unsettled();
    };
  }

  /** Returns the time of the clock that all processes here share. */
  static long now() {
    return System.currentTimeMillis();
  }
}
