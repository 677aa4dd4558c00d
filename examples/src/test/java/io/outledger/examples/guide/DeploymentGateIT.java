// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gate as a deployment runs it: a process, of which the exit code counts. */
class DeploymentGateIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path folder;

  private final Postgres server = Postgres.shared();
  private final String url = server.jdbcUrl(server.createDatabase());
  private final HikariDataSource database = new HikariDataSource();

  DeploymentGateIT() {
    database.setJdbcUrl(url);
    database.setUsername(server.user());
    database.setPassword(server.password());
    PostgreSql.schema().apply(database);
  }

  @AfterEach
  void disconnect() {
    database.close();
  }

  private void append(int version) throws SQLException {
    try (Outledger outledger = Outledger.builder(database).withoutRetention().build();
        Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      Message message =
          Message.to("orders", "order.priced")
              .version(version)
              .key("o-1")
              .payload("{}".getBytes(UTF_8))
              .build();
      outledger.outbox().append(connection, List.of(message));
      connection.commit();
    }
  }

  private ChildJvm gate(String databaseUrl) throws IOException {
    Path settings = folder.resolve("settings.properties");
    Files.writeString(
        settings,
        """
        database.url=%s
        database.user=%s
        database.password=%s
        database.connections=1
        """
            .formatted(databaseUrl, server.user(), server.password()));
    return ChildJvm.of(DeploymentGate.class).args(settings.toString()).start();
  }

  @Test
  void aBuildThatReadsEverythingGoesOn() throws Exception {
    append(1);
    append(3);
    try (ChildJvm gate = gate(url)) {
      assertThat(gate.awaitExit(PATIENCE)).as(gate.outputTail()).isZero();
    }
  }

  @Test
  void aBuildThatLacksAVersionEndsWithOneAndNamesIt() throws Exception {
    append(3);
    append(4);
    try (ChildJvm gate = gate(url)) {
      assertThat(gate.awaitExit(PATIENCE)).isEqualTo(1);
      assertThat(gate.outputTail())
          .contains("OUT-011", "order.priced v4 (1 in the ledger")
          .doesNotContain("order.priced v3");
    }
  }

  @Test
  void aDatabaseThatCannotBeAskedIsNoYes() throws Exception {
    try (ChildJvm gate = gate("jdbc:nothing:")) {
      assertThat(gate.awaitExit(PATIENCE)).isEqualTo(2);
    }
  }
}
