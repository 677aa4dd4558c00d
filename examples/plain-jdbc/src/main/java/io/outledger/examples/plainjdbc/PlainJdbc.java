// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.plainjdbc;

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

/** Places three orders and prints their invoices. */
public final class PlainJdbc {

  private PlainJdbc() {}

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
    Shop.createTables(database);
    try (Shop shop = new Shop(database, TimeSource.system())) {
      shop.orders().place("o-1", "ada", 1990);
      shop.orders().place("o-2", "grace", 450);
      shop.orders().place("o-3", "ada", 700);
      // A service calls invoicing().start() and lets the relay run.
      try (Relay relay = shop.invoicing().build()) {
        relay.drain(Duration.ofSeconds(30));
      }
    }
    print(database);
  }

  private static void print(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT order_id, cents FROM invoice ORDER BY order_id")) {
      while (rows.next()) {
        System.out.println("invoice for " + rows.getString(1) + ": " + rows.getInt(2) + " cents");
      }
    }
  }
}
