// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.relay.RunningRelay;
import io.outledger.relay.StepReport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The relays that run in this process, to be woken after a commit and stopped at the end; and the
 * routes of all that were built, by subscription.
 */
final class OpenRelays implements AutoCloseable {

  private final List<RunningRelay> running = new CopyOnWriteArrayList<>();
  private final Map<String, Set<String>> routes = new ConcurrentHashMap<>();

  void hasRoutes(String subscription, List<String> names) {
    routes.computeIfAbsent(subscription, any -> ConcurrentHashMap.newKeySet()).addAll(names);
  }

  Set<String> routesOf(String subscription) {
    return routes.getOrDefault(subscription, Set.of());
  }

  void add(RunningRelay relay) {
    running.removeIf(old -> old.state() == StepReport.State.RELEASED);
    running.add(relay);
  }

  void wake() {
    running.forEach(RunningRelay::wake);
  }

  @Override
  public void close() {
    RunningRelay.closeAll(running);
    running.clear();
  }
}
