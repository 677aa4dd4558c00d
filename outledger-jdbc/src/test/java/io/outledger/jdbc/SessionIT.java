// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class SessionIT {

  private static final String PAGE = "SELECT generate_series(1, 3)";

  private final StoreDatabase database = StoreDatabase.create();

  @Test
  void whatBringsPagesIsPreparedFromTheFirstTimeOn() throws SQLException {
    try (Session session = open(database.dataSource())) {
      session.prepare(PAGE).executeQuery().close();
      assertThat(isPrepared(session)).isFalse();
    }
    try (Session session = open(database.dataSource())) {
      PreparedStatement page = session.prepareForPages(PAGE);
      page.executeQuery().close();
      assertThat(isPrepared(session)).isTrue();
      assertThat(session.prepareForPages(PAGE)).isSameAs(page);
    }
  }

  @Test
  void whereNothingMayBePreparedNothingIs() throws SQLException {
    try (Session session = open(database.dataSourceThatNeverPrepares())) {
      session.prepareForPages(PAGE).executeQuery().close();
      assertThat(isPrepared(session)).isFalse();
    }
  }

  private static Session open(DataSource dataSource) throws SQLException {
    return Session.open(dataSource, SessionSettings.relay("kafka", StoreDatabase.LEASE));
  }

  private static boolean isPrepared(Session session) throws SQLException {
    try (PreparedStatement prepared =
        session
            .connection()
            .prepareStatement("SELECT FROM pg_prepared_statements WHERE statement = ?")) {
      prepared.setString(1, PAGE);
      try (ResultSet row = prepared.executeQuery()) {
        return row.next();
      }
    }
  }
}
