// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.junit.crash.CrashTest;
import io.outledger.junit.crash.CrashTrial;
import io.outledger.relay.Relay;
import io.outledger.servers.Postgres;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class ApplicationIT {

  private static final String TEMPLATE = template();

  /** Whichever step it crashes at, a placed order is paid once and shipped once. */
  @CrashTest
  void anOrderIsPaidAndShippedOnce(CrashTrial trial) throws Exception {
    DataSource database = emptyDatabase();
    trial
        .start(process -> new Application(process.dataSource(database), process.clock()))
        .request(application -> application.orders().place("o-1", 1990))
        .settle((process, application) -> process.drain(application.modules()))
        .observe(() -> observed(database))
        .check();
  }

  @Test
  void anOrderThatCannotBePaidIsRefusedAndNotShipped() throws Exception {
    DataSource database = emptyDatabase();
    try (Application application = new Application(database, TimeSource.system());
        Relay relay = application.modules().build()) {
      application.orders().place("o-1", 5_000_000);
      long published = 1;
      while (published > 0) {
        published = relay.drain(Duration.ofSeconds(30)).published();
      }
    }

    assertThat(observed(database)).containsExactly("order o-1 refused");
  }

  /** A copy takes less time than tables. */
  private static DataSource emptyDatabase() {
    return dataSource(Postgres.shared().createDatabaseFrom(TEMPLATE));
  }

  private static String template() {
    String name = Postgres.shared().createDatabase();
    try {
      Application.createTables(dataSource(name));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return name;
  }

  private static DataSource dataSource(String name) {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(Postgres.shared().jdbcUrl(name));
    return database;
  }

  private static List<String> observed(DataSource database) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT 'order ' || id || ' ' || state FROM orders"
                    + " UNION ALL SELECT 'payment for ' || order_id FROM payment"
                    + " UNION ALL SELECT 'shipment of ' || order_id FROM shipment")) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }
}
