// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

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

/**
 * A database for the contracts.
 *
 * @param dataSource whose user Outledger works with
 */
record TestFixture(TestDatabase test, DataSource dataSource) implements DatabaseFixture {

  private static final HostileSettings HOSTILE =
      new HostileSettings(
          List.of(
              """
              SET SESSION sql_safe_updates = 1, sql_select_limit = 1, max_join_size = 1,
                  unique_checks = 0, foreign_key_checks = 0, sql_auto_is_null = 1,
                  completion_type = 'CHAIN', innodb_lock_wait_timeout = 1,
                  sql_mode = 'ANSI,STRICT_ALL_TABLES'\
              """),
          """
          SELECT CONCAT_WS(' ', @@sql_safe_updates, @@sql_select_limit, @@sql_big_selects,
                 @@unique_checks, @@foreign_key_checks, @@sql_auto_is_null,
                 @@completion_type, @@innodb_lock_wait_timeout, @@sql_mode)\
          """);

  /** Returns one that is empty, for a user who may do everything. */
  static TestFixture empty(TestDatabase test) {
    return new TestFixture(test, test.dataSource());
  }

  /** Returns one with the tables, for a user with the rights that the documents give to relays. */
  static TestFixture withRightsOfARelay(TestDatabase test) {
    TestDatabase made = test.withTables();
    return new TestFixture(
        made, new GrantedUser(made, DocumentedRights.ofRelay(made)).dataSource());
  }

  @Override
  public Database database() {
    return test.database();
  }

  @Override
  public void letPass(Duration time) {
    Instant end = test.now().plus(time);
    Await.until(() -> "time passes", Duration.ofMinutes(1), () -> test.now().isAfter(end));
  }

  @Override
  public void run(String script) throws SQLException {
    try (Connection connection = test.connect();
        Statement statement = connection.createStatement()) {
      for (String each : MySqlSchema.statements(script)) {
        statement.execute(each);
      }
    }
  }

  @Override
  public Optional<Connection> readOnly() throws SQLException {
    Connection connection = test.connect();
    connection.setReadOnly(true); // which MariaDB's driver takes for a hint
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION TRANSACTION READ ONLY");
    }
    return Optional.of(connection);
  }

  @Override
  public boolean namesItsDatabase() {
    return true;
  }

  @Override
  public String renumbering() {
    return "ALTER TABLE outledger_message AUTO_INCREMENT = 1";
  }

  @Override
  public HostileSettings hostileSettings() {
    return HOSTILE;
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public void close() {
    test.close();
  }
}
