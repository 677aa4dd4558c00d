// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

final class MySqlDatesIT extends DatesIT {

  MySqlDatesIT() {
    super(TestDatabase.onMySql());
  }

  /** Before 8.0.16 it checks no constraint, and has no table of them. */
  @Override
  void allowAll(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean isChecked;
      try (ResultSet row =
          statement.executeQuery(
              """
              SELECT COUNT(*) FROM information_schema.TABLES t
               WHERE t.TABLE_SCHEMA = 'information_schema' AND t.TABLE_NAME = 'CHECK_CONSTRAINTS'\
              """)) {
        row.next();
        isChecked = row.getLong(1) > 0;
      }
      if (isChecked) {
        statement.execute(
            "ALTER TABLE outledger_message ALTER CHECK outledger_message_time NOT ENFORCED");
      }
    }
  }
}
