// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.Commands.BeginSubscription;
import io.outledger.examples.renewal.Commands.RenewSubscription;
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

/** Renews subscriptions in an H2 in memory, and prints what has become of them. */
public final class Demo {

  /** The plan that costs nothing. */
  static final String TRIAL = "trial";

  private Demo() {}

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:renewal;DB_CLOSE_DELAY=-1");
    Application.createTables(database);
    try (Application application = Application.on(database, TimeSource.system())) {
      application.prices().set("basic", new Prices.Price(500, "EUR"));
      application.prices().set("plus", new Prices.Price(900, "EUR"));
      application.prices().set(Access.SOLD_OUT, new Prices.Price(700, "EUR"));
      application.prices().set(TRIAL, new Prices.Price(0, "EUR"));
      renew(application, "s-1", "basic", new Renewal.Extended(12));
      renew(application, "s-2", "basic", new Renewal.Upgraded("plus", 6));
      renew(application, "s-3", "basic", new Renewal.Gifted("grace", 3));
      renew(application, "s-4", "basic", new Renewal.Extended(24)); // more than its credit
      renew(application, "s-5", Access.SOLD_OUT, new Renewal.Extended(2)); // gets its money back
      renew(application, "s-6", TRIAL, new Renewal.Extended(1));
      // A service calls start() instead of build(), and lets the relays run.
      Analytics analytics = application.analytics();
      try (Relay background = application.background().build();
          Relay counted = analytics.relay().build();
          analytics) { // which ends before its relay
        drain(background);
        drain(counted);
      }
    }
    lines(database).forEach(System.out::println);
  }

  private static void renew(Application application, String id, String plan, Renewal renewal)
      throws SQLException {
    application.mediator().send(new BeginSubscription(id, plan));
    RenewSubscription command = new RenewSubscription(id + "/1", id, renewal);
    System.out.println(application.mediator().send(command));
  }

  private static void drain(Relay relay) throws InterruptedException {
    long published = 1;
    while (published > 0) { // what was handled may have appended more
      published = relay.drain(Duration.ofSeconds(30)).published();
    }
  }

  /** Returns the rows of all tables, as text. */
  static List<String> lines(DataSource database) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT 'subscription ' || id || ', ' || plan || ' until ' || until
                  FROM subscription
                UNION ALL
                SELECT 'renewal ' || id || ', ' || state FROM renewal
                UNION ALL
                SELECT 'payment of ' || cents || ' ' || currency || ' by ' || payer || ' for '
                    || renewal_id
                  FROM payment
                UNION ALL
                SELECT 'access by ' || renewal_id FROM access_granted
                UNION ALL
                SELECT 'letter, ' || text FROM letter
                UNION ALL
                SELECT 'figure, ' || name || ': ' || amount FROM figure
                """)) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }
}
