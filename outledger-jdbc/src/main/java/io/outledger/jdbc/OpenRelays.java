// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The relays that run in this process, to be woken after a commit and stopped at the end; and the
 * routes of all that were built, by subscription.
 */
final class OpenRelays implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OpenRelays.class);

  private final List<Open> running = new CopyOnWriteArrayList<>();

  /** A relay, and where it publishes to, by route. */
  private record Open(String subscription, RunningRelay relay, Map<String, String> destinations) {}

  /**
   * Adds one. Says so where another one of this process publishes the same subscription elsewhere:
   * one is active at a time, so that each message goes to one destination alone.
   */
  void add(String subscription, RunningRelay relay, Map<String, String> destinations) {
    running.removeIf(old -> old.relay().state() == StepReport.State.RELEASED);
    running.stream()
        .filter(other -> other.subscription().equals(subscription))
        .filter(other -> !other.destinations().equals(destinations))
        .findFirst()
        .ifPresent(
            other ->
                LOG.warn(
                    "two relays of this process have subscription {} and different destinations,"
                        + " {} and {}: one is active at a time, so a message goes to one of them"
                        + " alone. Give each destination a subscription, or a route, of its own",
                    Printable.value(subscription),
                    Printable.value(other.destinations()),
                    Printable.value(destinations)));
    running.add(new Open(subscription, relay, destinations));
  }

  void wake() {
    running.forEach(open -> open.relay().wake());
  }

  @Override
  public void close() {
    RunningRelay.closeAll(running.stream().map(Open::relay).toList());
    running.clear();
  }
}
