// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.contracts.DatabaseContract;
import io.outledger.contracts.DatabaseFixture;
import io.outledger.contracts.HostileSettings;
import io.outledger.jdbc.spi.Database;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

final class SqliteDatabaseIT extends DatabaseContract {

  @Override
  protected DatabaseFixture openFixture() {
    return new Fixture(TestSqlite.empty());
  }

  record Fixture(TestSqlite server) implements DatabaseFixture {

    @Override
    public Database database() {
      return new SqliteDatabase(new Tables());
    }

    @Override
    public DataSource dataSource() {
      return server.dataSource();
    }

    @Override
    public void letPass(Duration time) {
      Instant end = server.now().plus(time);
      Await.until(() -> "time passes", Duration.ofMinutes(1), () -> server.now().isAfter(end));
    }

    @Override
    public void run(String script) throws SQLException {
      try (Connection connection = server.connect();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate(script); // as the driver's only way to run several statements
      }
    }

    @Override
    public String renumbering() {
      return "DELETE FROM sqlite_sequence WHERE name = 'outledger_message'";
    }

    @Override
    public Optional<Connection> readOnly() throws SQLException {
      Connection connection = server.connect();
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA query_only = ON"); // the driver changes no open connection's mode
      }
      return Optional.of(connection);
    }

    @Override
    public HostileSettings hostileSettings() {
      return new HostileSettings(List.of("PRAGMA busy_timeout = 1"), "PRAGMA busy_timeout");
    }

    @Override
    public Optional<String> otherSchema() {
      return Optional.empty();
    }

    @Override
    public Writers writers() {
      return Writers.ONE;
    }

    @Override
    public List<String> logOf(Runnable work) {
      return CapturedLog.during(work);
    }

    @Override
    public void close() throws SQLException {
      server.close();
    }
  }
}
