// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.relay.Relay;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** Renews three subscriptions in an H2 in memory, and prints what has become of them. */
public final class Renewal {

  private Renewal() {}

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:renewal;DB_CLOSE_DELAY=-1");
    Application.createTables(database);
    try (Application application = new Application(database, TimeSource.system())) {
      application.prices().set("basic", new Prices.Price(500, "EUR"));
      application.prices().set(Contract.TRIAL, new Prices.Price(0, "EUR"));
      renew(application, "s-1", "basic", 12);
      renew(application, "s-2", "basic", 24);
      renew(application, "s-3", Contract.TRIAL, 1);
      // A service calls background().start() and lets the relay run.
      try (Relay relay = application.background().build()) {
        long published = 1;
        while (published > 0) { // what was handled may have appended more
          published = relay.drain(Duration.ofSeconds(30)).published();
        }
      }
    }
    lines(database).forEach(System.out::println);
  }

  private static void renew(Application application, String id, String plan, int months)
      throws SQLException {
    application.subscriptions().begin(id, plan);
    application.subscriptions().renew(id, months);
  }

  /** Returns the rows of all tables, as text. */
  static List<String> lines(DataSource database) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT 'subscription ' || id || ', months ' || months || ', paid ' || paid
                  FROM subscription
                UNION ALL
                SELECT 'payment of ' || cents || ' ' || currency || ' for ' || subscription_id
                  FROM payment
                UNION ALL
                SELECT 'letter, ' || text FROM letter
                """)) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }
}
