// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a driver counts where a row was there is a parameter of its URL, and decides nothing. */
final class ParkedTwiceIT {

  private static final ParkedFailure FAILED =
      new ParkedFailure(
          ParkedState.RETRYING, true, 1, "no stock", Duration.ZERO, FailedAttempt.UNTIMED);

  @ParameterizedTest
  @CsvSource({"MARIADB, false", "MARIADB, true", "MYSQL, false", "MYSQL, true"})
  void messageThatIsParkedTwiceIsParkedOnce(ChangeFilesIT.On product, boolean affected)
      throws SQLException {
    try (TestDatabase database = product.open().withTables();
        Connection connection =
            DriverManager.getConnection(
                database.server().jdbcUrl(database.tables().schema())
                    + "?useAffectedRows="
                    + affected,
                database.server().user(),
                database.server().password())) {
      connection.setAutoCommit(false);
      assertThat(park(database, connection, "1", "2")).isEqualTo(2);
      assertThat(park(database, connection, "2", "3")).isEqualTo(1);
      connection.commit();
      assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_inbox_attempt"))
          .isEqualTo(3);
    }
  }

  private static int park(TestDatabase database, Connection connection, String... ids)
      throws SQLException {
    List<Received> batch = List.of(ids).stream().map(ParkedTwiceIT::message).toList();
    return database.database().received().park(connection, "stock", batch, FAILED);
  }

  private static Received message(String id) {
    return new Received(
        "shop", id, "orders", "a", "order", 1, new byte[0], Map.of(), null, "place", "");
  }
}
