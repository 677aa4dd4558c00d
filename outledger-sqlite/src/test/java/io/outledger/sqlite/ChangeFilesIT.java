// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import liquibase.Contexts;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** The jar's change files, run by the tools that they are for. */
class ChangeFilesIT {

  private static final String NAMES =
      """
      SELECT t.type || ' ' || t.name FROM sqlite_master t
       WHERE t.name LIKE 'outledger%' AND t.name NOT LIKE 'outledger_history%' ORDER BY 1\
      """;

  @Test
  void flywayMakesTheTablesBesideTheApplicationsOwn() throws SQLException {
    try (TestSqlite database = TestSqlite.empty()) {
      database.execute("CREATE TABLE orders (id INTEGER)");
      migrate(database);
      migrate(database);
      assertMade(database);
    }
  }

  private static void migrate(TestSqlite database) {
    Flyway.configure()
        .dataSource(database.dataSource())
        .locations("classpath:io/outledger/sqlite/flyway")
        .table("outledger_history")
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load()
        .migrate();
  }

  @Test
  void liquibaseMakesTheTables() throws Exception {
    try (TestSqlite database = TestSqlite.empty()) {
      update(database);
      update(database);
      assertMade(database);
    }
  }

  private static void update(TestSqlite database) throws Exception {
    try (Connection connection = database.connect();
        Liquibase liquibase =
            new Liquibase(
                "io/outledger/sqlite/liquibase/changelog.sql",
                new ClassLoaderResourceAccessor(),
                new JdbcConnection(connection))) {
      liquibase.update(new Contexts());
    }
  }

  /** All that Schema.apply makes, triggers included, and they are fit for use. */
  private static void assertMade(TestSqlite database) throws SQLException {
    try (TestSqlite applied = TestSqlite.create();
        Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      assertThat(names(database)).isEqualTo(names(applied));
      outledger.outbox().inNewTransaction(Message.to("orders", "order.placed").build());
    }
  }

  private static List<String> names(TestSqlite database) throws SQLException {
    try (Connection connection = database.connect()) {
      return Sql.of(connection, NAMES).rows(row -> row.getString(1));
    }
  }
}
