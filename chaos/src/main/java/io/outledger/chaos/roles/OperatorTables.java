// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.chaos.database.ShopSql;
import io.outledger.inbox.InboxRetention;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;

/** What the operator reads and writes itself, beside what Outledger does for it. */
record OperatorTables(DataSource dataSource, ShopSql sql) {

  /** How old a record has to be, as this service's inboxes remember. */
  Duration inboxAge() {
    return InboxRetention.DEFAULT.keep();
  }

  void makeOldInboxRecords() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql.oldInboxRecords());
    }
  }

  /** The time of the message at a position, by primary key; none where nothing is there. */
  Optional<Instant> timeAt(long position) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select =
            connection.prepareStatement("SELECT time FROM outledger_message WHERE position = ?")) {
      select.setLong(1, position);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(sql.time(row, 1)) : Optional.empty();
      }
    }
  }
}
