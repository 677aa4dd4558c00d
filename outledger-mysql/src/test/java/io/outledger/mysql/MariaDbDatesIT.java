// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MariaDbDatesIT extends DatesIT {

  MariaDbDatesIT() {
    super(TestDatabase.onMariaDb());
  }

  @Override
  void allowAll(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION check_constraint_checks = 0");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000-00-00 00:00:00",
        "2026-00-10 00:00:00",
        "2026-02-00 00:00:00",
        "2026-02-31 10:00:00"
      })
  void ledgerRefusesIt(String time) throws SQLException {
    try (Connection connection = lax()) {
      assertThatThrownBy(() -> insert(connection, time))
          .hasMessageContaining("outledger_message_time");
      insert(connection, "0001-01-01 00:00:00");
      insert(connection, "9999-12-31 23:59:59.999999");
    }
  }
}
