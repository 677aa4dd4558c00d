// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Schema;
import io.outledger.jdbc.sql.Sql;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who waits for another one to apply a schema says so. */
class SchemaLockIT {

  @Test
  void whoWaitsNamesWhomItWaitsFor() throws SQLException {
    assertNamesWhomItWaitsFor(ChangeFilesIT.On.MARIADB);
  }

  @Test
  @Tag("long")
  void whoWaitsOnMySqlNamesWhomItWaitsFor() throws SQLException {
    assertNamesWhomItWaitsFor(ChangeFilesIT.On.MYSQL);
  }

  private static void assertNamesWhomItWaitsFor(ChangeFilesIT.On server) throws SQLException {
    try (TestDatabase database = server.open();
        Connection other = database.connect()) {
      CapturedLog.start();
      Sql.of(other, "SELECT GET_LOCK('outledger.schema', 0)").number();
      CompletableFuture<Void> applying =
          CompletableFuture.runAsync(
              () -> Schema.of(database.database()).apply(database.dataSource()));
      String holder = "connection " + Sql.of(other, "SELECT CONNECTION_ID()").number() + " of ";
      Await.until("the wait is told", Duration.ofMinutes(1), () -> CapturedLog.has(holder));
      Sql.of(other, "SELECT RELEASE_LOCK('outledger.schema')").number();
      applying.join();
      assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_schema")).isOne();
    } finally {
      CapturedLog.stop();
    }
  }
}
