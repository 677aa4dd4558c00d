// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A MariaDB of before 10.6.19: it has no {@code server_uid}, and refuses who asks for it. */
final class OlderServerIT {

  private static final int UNKNOWN_VARIABLE = 1193;

  @Test
  void serverWithoutAnIdOfItsOwnIsRead() throws SQLException {
    try (TestDatabase database = TestDatabase.onMariaDb().withTables();
        RelayStore store =
            database
                .database()
                .relayStore(
                    older(database.dataSource()),
                    new RelaySubscription(
                        new CursorKey("s", 0), Start.EARLIEST, TestDatabase.LEASE))) {
      append(database);
      LeaseGrant grant =
          store
              .takeOver(store.look(), UUID.randomUUID(), TestDatabase.LEASE, () -> {})
              .orElseThrow();
      Page page = store.poll(new PollRequest(0, 100, 1 << 20, Positions.NONE));
      assertThat(page.messages()).hasSize(1);
      assertThat(page.server()).isEqualTo(grant.server());
      String id = database.text("SELECT CONCAT_WS(' ', @@server_id, @@hostname, @@port)");
      assertThat(page.server().toString()).contains(id);
    }
  }

  private static void append(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      new AppendStatement(database.tables())
          .append(connection, List.of(Message.to("orders", "placed").build()));
      connection.commit();
    }
  }

  private static DataSource older(DataSource real) {
    return (DataSource)
        Proxy.newProxyInstance(
            OlderServerIT.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, values) ->
                PlayedAnswers.over(real.getConnection(), OlderServerIT::instead));
  }

  private static String instead(String sql) throws SQLException {
    if (sql.contains("@@server_uid")) {
      throw new SQLException("Unknown system variable 'server_uid'", "HY000", UNKNOWN_VARIABLE);
    }
    return sql.startsWith("SHOW GLOBAL VARIABLES") && sql.contains("'server_uid'")
        ? "SHOW GLOBAL VARIABLES LIKE 'there is none'"
        : sql;
  }
}
