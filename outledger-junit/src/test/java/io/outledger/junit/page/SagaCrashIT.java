// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Schema;
import io.outledger.junit.crash.CrashTest;
import io.outledger.junit.crash.CrashTrial;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** A saga whose process crashes between any two of its steps, and within each. */
class SagaCrashIT {

  private static final AtomicInteger DATABASES = new AtomicInteger();

  @CrashTest
  void anOrderThatFailsIsRefundedAndReleasedOnce(CrashTrial trial) throws Exception {
    DataSource database = ledger();
    trial
        .start(process -> new SagaShop(process, database))
        .request(shop -> shop.place("o-1"))
        .settle((process, shop) -> process.drain(shop.relay()))
        .observe(() -> TestDatabase.rows(database, "SELECT type FROM outledger_message"))
        .check();
    assertAtRest(database);
  }

  /** Either nothing was asked for, or all has happened: then no row is left, and no time-out. */
  private static void assertAtRest(DataSource database) throws SQLException {
    List<String> types = TestDatabase.rows(database, "SELECT type FROM outledger_message");
    if (!types.isEmpty()) {
      assertThat(types)
          .containsExactly(
              "Placed",
              "Charge",
              "Charged",
              "Ship",
              "Undeliverable",
              "Refund",
              "Refunded",
              "Release");
    }
    assertThat(TestDatabase.rows(database, "SELECT saga_key FROM outledger_saga")).isEmpty();
    assertThat(TestDatabase.rows(database, "SELECT type FROM outledger_scheduled")).isEmpty();
  }

  private static DataSource ledger() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:sagas" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
    Schema.of(database).apply(database);
    return database;
  }
}
