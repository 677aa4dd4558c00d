// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import io.outledger.chaos.roles.RelayMain;
import io.outledger.chaos.roles.RoleSettings;
import io.outledger.servers.ChildJvm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The roles as processes, by name; each can be started again. Used by one thread. */
final class Processes implements AutoCloseable {

  private final ShopPlan plan;
  private final Map<String, ChildJvm> children = new LinkedHashMap<>();
  private final Map<String, Long> numbers = new LinkedHashMap<>();

  /** Which start of a relay has taken the lease as whom: a restarted one is somebody else. */
  private final Map<String, String> owners = new ConcurrentHashMap<>();

  private long starts;

  Processes(ShopPlan plan) {
    this.plan = plan;
  }

  ChildJvm child(String name) {
    ChildJvm child = children.get(name);
    if (child == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return child;
  }

  /** Returns the relay that took the lease as this incarnation and has not been restarted since. */
  Optional<String> relayOf(String incarnation) {
    String start = owners.getOrDefault(incarnation, "");
    return plan.cast().relays().stream().filter(name -> start.equals(startOf(name))).findFirst();
  }

  /** Returns who has ended by itself. */
  List<String> ended() {
    return children.entrySet().stream()
        .filter(child -> !child.getValue().isAlive())
        .map(Map.Entry::getKey)
        .toList();
  }

  List<String> names() {
    return List.copyOf(children.keySet());
  }

  /** Returns a number that no start had before. */
  long nextStart() {
    return ++starts;
  }

  void start(RoleSettings settings) {
    String name = settings.name();
    numbers.put(name, settings.seed());
    String start = startOf(name);
    ChildJvm before = children.get(name);
    if (before != null) {
      before.close();
    }
    children.put(
        name,
        ToBeKilled.of(Role.of(name).main())
            .args(settings.args())
            .environment(RoleSettings.JDBC_URL, settings.jdbcUrl())
            .heapMib(128)
            .outputFile(plan.output(name))
            .onLine(line -> hear(start, line))
            .start());
  }

  void awaitReady(String name) {
    child(name).waitFor(RoleSettings.READY::equals, Patience.ONE_STEP);
  }

  @Override
  public void close() {
    children.values().forEach(ChildJvm::close);
  }

  private String startOf(String name) {
    return name + " " + numbers.get(name);
  }

  private void hear(String start, String line) {
    if (line.startsWith(RelayMain.OWNS)) {
      owners.put(line.substring(RelayMain.OWNS.length()), start);
    }
  }
}
