// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import io.outledger.chaos.shop.Patience;
import io.outledger.chaos.shop.ToBeKilled;
import io.outledger.jdbc.Outledger;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.Postgres;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A run: orders are placed in portions, and after each portion a process, or the database, is
 * killed with sagas under way; then all come to rest and are judged. Used by one thread.
 */
final class SagaRun implements AutoCloseable {

  private static final int PAUSE_MS_MAX = 400;

  /** Every so many kills it is the database that is killed. */
  private static final int DATABASE_EACH = 10;

  private final Plan plan;
  private final Consumer<String> told;
  private final SplittableRandom random;
  private final Postgres server = Postgres.start();
  private final String jdbcUrl;
  private final SagaTrails trails;
  private final List<ChildJvm> children = new ArrayList<>();

  /**
   * What is to be done.
   *
   * @param count how many orders
   * @param kills how many kills
   * @param processes how many processes run the saga
   * @param seed decides who is killed when
   * @param folder where the processes' outputs go
   */
  record Plan(int count, int kills, int processes, long seed, Path folder) {}

  SagaRun(Plan plan, Consumer<String> told) throws SQLException {
    this.plan = plan;
    this.told = told;
    this.random = new SplittableRandom(plan.seed());
    String name = server.createDatabase();
    this.jdbcUrl = server.jdbcUrl(name);
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(jdbcUrl);
    PostgreSql.schema().apply(dataSource);
    this.trails = new SagaTrails(dataSource);
    trails.createEffects();
  }

  /** Runs it to its end. */
  SagaResult run() throws SQLException {
    IntStream.range(0, plan.processes()).forEach(number -> children.add(start(number)));
    children.forEach(SagaRun::awaitReady);
    SagaResult.Kills kills = new SagaResult.Kills(0, 0, 0);
    int placed = 0;
    for (int kill = 1; kill <= plan.kills(); kill++) {
      int until = (int) ((long) plan.count() * kill / plan.kills());
      place(placed, until);
      placed = until;
      kills = kill(kill, kills);
    }
    awaitRest();
    children.forEach(child -> child.stop(Duration.ofSeconds(30)));
    return new SagaResult(kills, trails.all(), trails.version());
  }

  private void place(int from, int until) {
    try (Outledger outledger = SagaProcess.outledger(jdbcUrl)) {
      for (int number = from; number < until; number++) {
        outledger
            .outbox()
            .inNewTransaction(new OrderEvents.OrderPlaced(Fate.of(number).key(number)));
      }
    }
  }

  private SagaResult.Kills kill(int number, SagaResult.Kills before) throws SQLException {
    Await.pass(Duration.ofMillis(random.nextInt(PAUSE_MS_MAX)));
    int underWay = trails.underWay();
    if (number % DATABASE_EACH == 0) {
      server.kill();
      server.restart();
      told.accept("kill %d: the database, with %d sagas under way".formatted(number, underWay));
      return before.withDatabase(underWay);
    }
    int who = random.nextInt(children.size());
    children.get(who).kill();
    told.accept("kill %d: process %d, with %d sagas under way".formatted(number, who, underWay));
    children.set(who, start(who));
    awaitReady(children.get(who));
    return before.withProcess(underWay);
  }

  private void awaitRest() {
    try (Outledger outledger = SagaProcess.outledger(jdbcUrl)) {
      Await.until(
          "all sagas have come to rest",
          Patience.ONE_STEP,
          () ->
              trails.underWay() == 0
                  && outledger.admin().subscriptions().stream()
                      .allMatch(each -> each.lag().behind() == 0 && each.lag().openRanges() == 0));
    } catch (AssertionError | IllegalStateException e) {
      told.accept("not all came to rest: " + e.getMessage()); // the judge says which
    }
  }

  private ChildJvm start(int number) {
    return ToBeKilled.of(SagaProcess.class)
        .environment(SagaProcess.JDBC_URL, jdbcUrl)
        .heapMib(96)
        .outputFile(plan.folder().resolve("process-" + number))
        .start();
  }

  private static void awaitReady(ChildJvm child) {
    child.waitFor(SagaProcess.READY::equals, Duration.ofSeconds(60));
  }

  @Override
  public void close() {
    children.forEach(ChildJvm::close);
    server.close();
  }
}
