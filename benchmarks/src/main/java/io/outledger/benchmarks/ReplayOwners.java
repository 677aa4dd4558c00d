// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Admin;
import io.outledger.jdbc.admin.InstanceState;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Two processes, of which one owns the subscription and the other stands by. */
final class ReplayOwners implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final String url;
  private final Admin admin;
  private final Map<String, ChildJvm> children = new LinkedHashMap<>();

  ReplayOwners(String url, Admin admin) {
    this.url = url;
    this.admin = admin;
  }

  void start() {
    List.of("owner-1", "owner-2").forEach(this::start);
    children.values().forEach(child -> child.waitFor(ReplayOwnerMain.READY::equals, PATIENCE));
  }

  private void start(String name) {
    children.put(
        name,
        ChildJvm.of(ReplayOwnerMain.class)
            .args(name)
            .environment(ReplayOwnerMain.JDBC_URL, url)
            .start());
  }

  /** Kills the owner by {@code kill -9} and has it started again, to stand by once it is ready. */
  void killOwner() {
    Await.until("there is an owner", PATIENCE, () -> owner().isPresent());
    String name = owner().orElseThrow();
    ChildJvm owner = Objects.requireNonNull(children.get(name));
    owner.kill();
    owner.close();
    start(name);
  }

  private Optional<String> owner() {
    return admin.subscriptions().stream()
        .filter(SubscriptionState::isRunning)
        .map(SubscriptionState::relay)
        .filter(Objects::nonNull)
        .map(InstanceState::instance)
        .filter(name -> children.containsKey(name) && children.get(name).isAlive())
        .findFirst();
  }

  @Override
  public void close() {
    children.values().forEach(ChildJvm::close);
  }
}
