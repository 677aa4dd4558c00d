// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import io.outledger.jdbc.Schema;
import io.outledger.junit.crash.CrashTest;
import io.outledger.junit.crash.CrashTrial;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** On H2 in memory, without a server. */
class OnH2IT extends OnNamedIT {

  private static final AtomicInteger DATABASES = new AtomicInteger();

  OnH2IT() {
    super(OnH2IT::empty);
  }

  @CrashTest
  void anOrderIsReservedOnce(CrashTrial trial) throws Exception {
    DataSource database = withTables();
    trial
        .start(process -> new Shop(process, database))
        .request(shop -> shop.place("o-1"))
        .settle(
            (process, shop) -> {
              process.drain(shop.relay());
              shop.consume();
            })
        .observe(() -> TestDatabase.rows(database, "SELECT id FROM reservation"))
        .check();
  }

  private DataSource withTables() throws SQLException {
    DataSource database = empty();
    Schema.of(database).apply(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id VARCHAR(20))");
      statement.execute("CREATE TABLE reservation (id VARCHAR(20))");
    }
    return database;
  }

  private static DataSource empty() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:kit" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
    return database;
  }
}
