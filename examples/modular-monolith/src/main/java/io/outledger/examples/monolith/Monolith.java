// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith;

import io.outledger.relay.Relay;
import io.outledger.servers.Postgres;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Places two orders, and prints how far they have come when the modules have done their work. */
public final class Monolith {

  private Monolith() {}

  /**
   * Runs it.
   *
   * @param arguments the JDBC URL of a PostgreSQL database; without it, one is started
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      run(arguments[0]);
      return;
    }
    try (Postgres server = Postgres.start()) {
      run(server.jdbcUrl(server.createDatabase()));
    }
  }

  private static void run(String url) throws Exception {
    PGSimpleDataSource database = new PGSimpleDataSource(); // or your pool
    database.setUrl(url);
    Application.createTables(database);
    try (Application application = new Application(database, TimeSource.system())) {
      application.orders().place("o-1", 1990);
      application.orders().place("o-2", 5_000_000);
      // A service calls modules().start() and lets the relay run.
      try (Relay relay = application.modules().build()) {
        long published = 1;
        while (published > 0) { // what was handled may have appended more
          published = relay.drain(Duration.ofSeconds(30)).published();
        }
      }
    }
    print(database);
  }

  private static void print(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, state FROM orders ORDER BY id")) {
      while (rows.next()) {
        System.out.println("order " + rows.getString(1) + ": " + rows.getString(2));
      }
    }
  }
}
