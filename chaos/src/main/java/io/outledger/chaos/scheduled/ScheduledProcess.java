// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

import io.outledger.StoreException;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A process that schedules messages, cancels them, moves what is due and handles it, until it is
 * stopped or killed.
 */
public final class ScheduledProcess {

  static final String SUBSCRIPTION = "reminders";

  /** The line that it says when it has started. */
  static final String READY = "ready";

  /** The variable that holds the database: a command line can be read by everybody. */
  static final String JDBC_URL = "OUTLEDGER_CHAOS_JDBC_URL";

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int PARTITIONS = 4;

  private final String name;
  private final PGSimpleDataSource dataSource;
  private final Outledger outledger;
  private final SplittableRandom random;
  private int planners;

  private ScheduledProcess(String name, long seed) {
    this.name = name;
    this.random = new SplittableRandom(seed);
    this.dataSource = new PGSimpleDataSource();
    dataSource.setURL(System.getenv(JDBC_URL));
    dataSource.setConnectTimeout(2);
    this.outledger = outledger(dataSource);
  }

  /**
   * Runs.
   *
   * @param args its name, which no process has had before, and the seed of what it does
   */
  public static void main(String... args) {
    ScheduledProcess process = new ScheduledProcess(args[0], Long.parseLong(args[1]));
    process.relay();
    Thread planning = new Thread(process::plan, "plan");
    planning.setDaemon(true);
    planning.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process.outledger::close, "stop"));
    tell(READY);
  }

  @SuppressWarnings("SystemOut") // the way a process tells whoever started it
  private static void tell(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Returns what works with the messages of a database. */
  static Outledger outledger(PGSimpleDataSource dataSource) {
    return Outledger.builder(dataSource)
        .relayDataSource(dataSource) // of which each partition keeps a connection
        .withoutRetention()
        .build();
  }

  private void relay() {
    outledger
        .relay(SUBSCRIPTION)
        .handler("count", (connection, message) -> new Plans(connection).handled(message.id()))
        .options(options -> options.lease(LEASE))
        .partitions(PARTITIONS)
        .start();
  }

  /** Plans until the process ends; with a planner of a new name after each failure. */
  private void plan() {
    while (true) {
      Planner planner = new Planner(name + "/" + planners++, outledger.outbox(), random.split());
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        while (true) {
          if (!planner.step(connection)) {
            Await.pass(PAUSE);
          }
        }
      } catch (SQLException | StoreException e) {
        tell("planning anew: " + e); // the database was killed, or two have met in a deadlock
        Await.pass(PAUSE);
      }
    }
  }
}
