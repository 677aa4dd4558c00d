// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.partition;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** A process that handles its share of the partitions, until it is stopped or killed. */
public final class WorkProcess {

  static final String SUBSCRIPTION = "work";

  /** How long a partition's lease lasts. */
  static final Duration LEASE = Duration.ofSeconds(2);

  /** The line that it says when it has started. */
  static final String READY = "ready";

  /** The variable that holds the database: a command line can be read by everybody. */
  static final String JDBC_URL = "OUTLEDGER_CHAOS_JDBC_URL";

  private static final String EFFECT =
      "INSERT INTO effect (message_key, number, instance) SELECT ?, ?, ? FROM pg_sleep(0.005)";

  private WorkProcess() {}

  /**
   * Runs.
   *
   * @param args its name, and how many partitions there are
   */
  @SuppressWarnings("SystemOut") // the way a process tells whoever started it
  public static void main(String... args) {
    String name = args[0];
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(System.getenv(JDBC_URL));
    dataSource.setConnectTimeout(2);
    Outledger outledger =
        Outledger.builder(dataSource)
            .relayDataSource(dataSource)
            .instance(name)
            .withoutRetention()
            .build();
    outledger
        .relay(SUBSCRIPTION)
        .partitions(Integer.parseInt(args[1]))
        .handler("effects", (connection, message) -> takeEffect(connection, message, name))
        .options(options -> options.lease(LEASE))
        .start();
    Runtime.getRuntime().addShutdownHook(new Thread(outledger::close, "stop"));
    System.out.println(READY);
    System.out.flush();
  }

  private static void takeEffect(Connection connection, Message message, String name)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(EFFECT)) {
      insert.setString(1, message.key());
      insert.setInt(2, Integer.parseInt(message.headers().getOrDefault(Work.NUMBER, "-1")));
      insert.setString(3, name);
      insert.executeUpdate();
    }
  }
}
