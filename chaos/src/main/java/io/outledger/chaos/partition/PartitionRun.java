// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.partition;

import io.outledger.chaos.shop.Patience;
import io.outledger.chaos.shop.ToBeKilled;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.Postgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A run: messages are written in portions, and while their effects are awaited something happens to
 * one of three processes; then all partitions are shared again. Used by one thread.
 */
final class PartitionRun implements AutoCloseable {

  private static final int PROCESSES = 3;
  private static final String GUEST = "process-4";

  private final Plan plan;
  private final Consumer<String> told;
  private final SplittableRandom random;
  private final Postgres server = Postgres.start();
  private final String jdbcUrl;
  private final Work work;
  private final Connection connection;
  private final Shares shares;
  private final Map<String, ChildJvm> children = new LinkedHashMap<>();
  private final Waits waits = new Waits();
  private int partitions;

  /**
   * What is to be done.
   *
   * @param mishaps how many
   * @param partitions how many at first
   * @param portion how many messages are written before each mishap
   * @param seed decides what happens to whom
   * @param folder where the processes' outputs go
   */
  record Plan(int mishaps, int partitions, int portion, long seed, Path folder) {}

  PartitionRun(Plan plan, Consumer<String> told) throws SQLException {
    this.plan = plan;
    this.told = told;
    this.partitions = plan.partitions();
    this.random = new SplittableRandom(plan.seed());
    this.jdbcUrl = server.jdbcUrl(server.createDatabase());
    this.work = new Work(jdbcUrl, random.split());
    this.connection = work.connect();
    this.shares = new Shares(connection);
  }

  /** Runs it to its end, and returns what is wrong. */
  List<String> run() throws SQLException {
    IntStream.rangeClosed(1, PROCESSES).forEach(number -> start("process-" + number));
    children.values().forEach(PartitionRun::awaitReady);
    awaitShares(PROCESSES);
    for (int number = 1; number <= plan.mishaps(); number++) {
      work.append(plan.portion());
      long underWay = work.committed() - work.effects();
      Mishap mishap = Mishap.of(random.nextInt(Mishap.DRAWN));
      String victim = "process-" + (1 + random.nextInt(PROCESSES));
      Duration took = happen(mishap, victim);
      waits.add(mishap, took, underWay);
      told.accept(
          "%d of %d: %s %s, with %d messages under way; %d ms"
              .formatted(number, plan.mishaps(), victim, mishap, underWay, took.toMillis()));
      awaitEffects();
      awaitShares(PROCESSES);
    }
    awaitEffects();
    children.values().forEach(child -> child.stop(Patience.ONE_STEP));
    return work.wrong();
  }

  Waits waits() {
    return waits;
  }

  Work work() {
    return work;
  }

  String version() throws SQLException {
    return connection.getMetaData().getDatabaseProductVersion();
  }

  private Duration happen(Mishap mishap, String victim) throws SQLException {
    return switch (mishap) {
      case KILLED -> {
        Duration took = takenFrom(victim, child(victim)::kill, false);
        start(victim);
        awaitReady(child(victim));
        yield took;
      }
      case FROZEN -> {
        Duration took = takenFrom(victim, child(victim)::suspend, false);
        child(victim).resume();
        yield took;
      }
      case STOPPED -> {
        Duration took = takenFrom(victim, () -> child(victim).stop(Patience.ONE_STEP), true);
        start(victim);
        awaitReady(child(victim));
        yield took;
      }
      case JOINED -> {
        start(GUEST);
        awaitReady(child(GUEST));
        awaitShares(PROCESSES + 1);
        work.append(plan.portion());
        Duration took = takenFrom(GUEST, () -> child(GUEST).stop(Patience.ONE_STEP), true);
        children.remove(GUEST);
        yield took;
      }
      case DIVIDED -> divide(victim);
    };
  }

  /**
   * Rolls all processes to another number, and returns how long it took until all partitions had an
   * owner once the last process with the old number had stopped.
   */
  private Duration divide(String victim) throws SQLException {
    int before = partitions;
    while (partitions == before) {
      partitions = random.nextInt(PROCESSES, 2 * plan.partitions() + 1);
    }
    List<String> others = children.keySet().stream().filter(name -> !name.equals(victim)).toList();
    Request request = work.divide(partitions);
    child(victim).kill();
    start(victim);
    awaitReady(child(victim));
    child(others.get(0)).stop(Patience.ONE_STEP);
    start(others.get(0));
    awaitReady(child(others.get(0)));
    work.append(plan.portion() / PROCESSES);
    child(others.get(1)).stop(Patience.ONE_STEP);
    Instant began = shares.now();
    Await.until(
        () -> "the number is " + partitions + ": " + work.status(request) + "; " + outputs(),
        Patience.ONE_STEP,
        () -> work.status(request).state() == RequestState.DONE);
    Await.until(
        () -> "all partitions have owners; " + outputs(),
        Patience.ONE_STEP,
        () -> shares.owned().values().stream().mapToInt(Set::size).sum() == partitions);
    Duration took = Duration.between(began, shares.now());
    start(others.get(1));
    awaitReady(child(others.get(1)));
    return took;
  }

  private ChildJvm child(String name) {
    return Objects.requireNonNull(children.get(name));
  }

  /**
   * Does something to a process, and returns how long it took until others had all that it had.
   *
   * @param sinceGivenBack whether each partition counts since it was given back
   */
  private Duration takenFrom(String victim, Runnable mishap, boolean sinceGivenBack)
      throws SQLException {
    Set<Integer> had = shares.owned().getOrDefault(victim, Set.of());
    Instant began = shares.now();
    mishap.run();
    Await.until(
        () -> "others take " + had + " of " + victim + "; " + outputs(),
        Patience.ONE_STEP,
        () -> shares.takenSince(began).keySet().containsAll(had));
    Map<Integer, Shares.Taken> taken = shares.takenSince(began);
    return had.stream()
        .map(partition -> Objects.requireNonNull(taken.get(partition)))
        .map(each -> Duration.between(sinceGivenBack ? each.leftAt() : began, each.at()))
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private void awaitEffects() {
    Await.until(
        () -> "each message takes effect; " + outputs(),
        Patience.ONE_STEP,
        () -> work.effects() >= work.committed());
  }

  /** Returns when so many processes have equal shares, of all partitions. */
  private void awaitShares(int processes) {
    Await.until(
        () -> "the partitions are shared; " + outputs(),
        Patience.ONE_STEP,
        () -> isShared(processes));
  }

  private boolean isShared(int processes) throws SQLException {
    Map<String, Set<Integer>> owned = shares.owned();
    owned.keySet().retainAll(children.keySet());
    Set<Integer> all = new HashSet<>();
    owned.values().forEach(all::addAll);
    int sum = owned.values().stream().mapToInt(Set::size).sum();
    int least = partitions / processes;
    return owned.size() == processes
        && all.size() == partitions
        && sum == partitions
        && owned.values().stream().allMatch(each -> each.size() >= least);
  }

  private String outputs() {
    return children.entrySet().stream()
        .map(each -> each.getKey() + ":\n" + each.getValue().outputTail())
        .collect(Collectors.joining("\n"));
  }

  private void start(String name) {
    children.put(
        name,
        ToBeKilled.of(WorkProcess.class)
            .args(name, String.valueOf(partitions))
            .environment(WorkProcess.JDBC_URL, jdbcUrl)
            .heapMib(96)
            .outputFile(plan.folder().resolve(name))
            .start());
  }

  private static void awaitReady(ChildJvm child) {
    child.waitFor(WorkProcess.READY::equals, Duration.ofSeconds(60));
  }

  @Override
  public void close() {
    children.values().forEach(ChildJvm::close);
    work.close();
    server.close();
  }
}
