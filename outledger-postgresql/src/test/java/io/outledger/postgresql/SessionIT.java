// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.store.RelayStore;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
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

  @Test
  void whatTheRelayReliesOnIsSetWhateverTheDatabaseSays() throws SQLException {
    Map<String, String> hostile =
        Map.of(
            "synchronous_commit", "off",
            "quote_all_identifiers", "on",
            "row_security", "on",
            "enable_indexscan", "off",
            "enable_indexonlyscan", "off",
            "enable_nestloop", "off",
            "default_transaction_isolation", "serializable");
    for (Map.Entry<String, String> setting : hostile.entrySet()) {
      database.execute(
          "DO $$ BEGIN EXECUTE format('ALTER DATABASE %%I SET %s = %%L', current_database(), '%s');"
                  .formatted(setting.getKey(), setting.getValue())
              + " END $$");
    }
    try (Session session = open(database.dataSource())) {
      assertThat(shown(session, "synchronous_commit")).isEqualTo("on");
      assertThat(shown(session, "quote_all_identifiers")).isEqualTo("off");
      assertThat(shown(session, "row_security")).isEqualTo("off");
      assertThat(shown(session, "enable_indexscan")).isEqualTo("on");
      assertThat(shown(session, "enable_indexonlyscan")).isEqualTo("on");
      assertThat(shown(session, "enable_nestloop")).isEqualTo("on");
      assertThat(shown(session, "default_transaction_isolation")).isEqualTo("read committed");
    }
    try (RelayStore store = database.store("kafka")) {
      assertThat(OwnerByHand.of(store).readAndSettle().messages()).isEmpty();
    }
  }

  private static String shown(Session session, String setting) throws SQLException {
    try (ResultSet row = session.prepare("SHOW " + setting).executeQuery()) {
      row.next();
      return row.getString(1);
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
