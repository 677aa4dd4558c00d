// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import io.outledger.chaos.shop.Patience;
import io.outledger.chaos.shop.ToBeKilled;
import io.outledger.jdbc.Outledger;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.Postgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A run: processes schedule messages in portions, and with each portion one of them, or the
 * database, is killed. The last portion is scheduled in peace, and shows how late messages are
 * where nothing is down. Then all come to rest, and every promise is asked of the tables. Used by
 * one thread.
 */
final class ScheduledRun implements AutoCloseable {

  private static final int PROCESSES = 3;
  private static final int PAUSE_MS_MAX = 400;

  /** Every so many kills it is the database that is killed. */
  private static final int DATABASE_EACH = 10;

  private static final int LOOKS_MAX = 300;

  /** One of so many messages is scheduled when nothing was down for a while. */
  private static final int CALM_OF = 10;

  private final Plan plan;
  private final Consumer<String> told;
  private final SplittableRandom random;
  private final Postgres server = Postgres.start();
  private final String url = server.jdbcUrl(server.createDatabase());
  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
  private final List<ChildJvm> children = new ArrayList<>();
  private int started;

  /**
   * What is to be done.
   *
   * @param count about how many messages are scheduled
   * @param kills how many kills
   * @param waiting how many messages wait beside them all the time, for a year
   * @param seed decides who is killed when, and what is scheduled
   * @param folder where the processes' outputs go
   */
  record Plan(int count, int kills, int waiting, long seed, Path folder) {}

  ScheduledRun(Plan plan, Consumer<String> told) throws SQLException {
    this.plan = plan;
    this.told = told;
    this.random = new SplittableRandom(plan.seed());
    dataSource.setURL(url);
    PostgreSql.schema().apply(dataSource);
    try (Connection connection = dataSource.getConnection()) {
      Plans plans = new Plans(connection);
      plans.create();
      plans.others(plan.waiting());
    }
  }

  /** Runs it to its end. */
  ScheduledResult run() throws SQLException {
    IntStream.range(0, PROCESSES).forEach(number -> children.add(start()));
    children.forEach(ScheduledRun::awaitReady);
    ScheduledResult.Kills kills = ScheduledResult.Kills.NONE;
    for (int kill = 1; kill <= plan.kills(); kill++) {
      allow((plan.count() - calm()) * kill / plan.kills());
      Await.pass(Duration.ofMillis(random.nextInt(PAUSE_MS_MAX)));
      kills = kill % DATABASE_EACH == 0 ? killDatabase(kill, kills) : killProcess(kill, kills);
    }
    Await.pass(Lateness.GRACE);
    allow(plan.count());
    List<String> unrest = awaitRest();
    children.forEach(child -> child.stop(Patience.ONE_STEP));
    try (Connection connection = dataSource.getConnection()) {
      return ScheduledResult.of(kills, unrest, connection);
    }
  }

  private long calm() {
    return Math.max(1, plan.count() / CALM_OF);
  }

  private void allow(long messages) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      new Plans(connection).allow(messages);
    }
  }

  private ScheduledResult.Kills killDatabase(int number, ScheduledResult.Kills before)
      throws SQLException {
    UnderWay met = moving();
    Instant began = Instant.now();
    server.kill();
    server.restart();
    wasDown(began);
    told.accept("kill %d: the database; %d messages waited".formatted(number, met.waiting()));
    return before.withDatabase(met);
  }

  private ScheduledResult.Kills killProcess(int number, ScheduledResult.Kills before)
      throws SQLException {
    int who = random.nextInt(children.size());
    UnderWay met = moving();
    Instant began = Instant.now();
    children.get(who).kill();
    children.set(who, start());
    awaitReady(children.get(who));
    wasDown(began);
    boolean wasMoving = met.isHeldStill(underWay());
    told.accept(
        "kill %d: process %d%s; %d messages waited"
            .formatted(number, who, wasMoving ? ", which was moving" : "", met.waiting()));
    return before.withProcess(met, wasMoving);
  }

  private void wasDown(Instant began) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      new Plans(connection).wasDown(began);
    }
  }

  /** Waits, for a moment, until some process moves messages. */
  private UnderWay moving() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      UnderWay now = UnderWay.now(connection);
      for (int look = 0; look < LOOKS_MAX && !now.isMoving(); look++) {
        now = UnderWay.now(connection);
      }
      return now;
    }
  }

  private UnderWay underWay() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return UnderWay.now(connection);
    }
  }

  /** Waits until nothing is to come any more, and returns why it does not end. */
  private List<String> awaitRest() throws SQLException {
    try (Outledger outledger = ScheduledProcess.outledger(dataSource);
        Connection connection = dataSource.getConnection()) {
      Plans plans = new Plans(connection);
      Await.until("all is scheduled", Patience.ONE_STEP, () -> !plans.may());
      plans.allow(0);
      Await.until(
          "what is scheduled comes to rest",
          Patience.ONE_STEP,
          () -> underWay().waiting() == 0 && isRead(outledger));
      return List.of();
    } catch (AssertionError | IllegalStateException e) {
      return List.of("not all came to rest: " + e.getMessage());
    }
  }

  private static boolean isRead(Outledger outledger) {
    return outledger.admin().subscriptions().stream()
        .allMatch(each -> each.lag().behind() == 0 && each.lag().openRanges() == 0);
  }

  private ChildJvm start() {
    String name = "process-" + started++;
    return ToBeKilled.of(ScheduledProcess.class)
        .args(name, String.valueOf(random.nextLong()))
        .environment(ScheduledProcess.JDBC_URL, url)
        .heapMib(96)
        .outputFile(plan.folder().resolve(name))
        .start();
  }

  private static void awaitReady(ChildJvm child) {
    child.waitFor(ScheduledProcess.READY::equals, Patience.ONE_STEP);
  }

  @Override
  public void close() {
    children.forEach(ChildJvm::close);
    server.close();
  }
}
