// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Schema;
import io.outledger.jdbc.sql.Sql;
import io.outledger.servers.InnoDbServer;
import io.outledger.servers.MariaDb;
import io.outledger.servers.MySql;
import java.sql.Connection;
import java.sql.SQLException;
import liquibase.Contexts;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The jar's change files, run by the tools that they are for. */
class ChangeFilesIT {

  /** On which server. */
  enum On {
    MARIADB,
    MYSQL;

    TestDatabase open() {
      return this == MARIADB ? TestDatabase.onMariaDb() : TestDatabase.onMySql();
    }

    /** Starts a server of the test's own. */
    InnoDbServer start(String... settings) {
      return this == MARIADB ? MariaDb.start(settings) : MySql.start(settings);
    }

    Product product() {
      return this == MARIADB ? Product.MARIADB : Product.MYSQL;
    }
  }

  @ParameterizedTest
  @EnumSource
  void flywayMakesTheTablesBesideTheApplicationsOwn(On server) throws SQLException {
    try (TestDatabase database = server.open()) {
      database.execute("CREATE TABLE {schema}.orders (id INTEGER)");
      migrate(database);
      migrate(database);
      assertMade(database);
    }
  }

  private static void migrate(TestDatabase database) {
    Flyway.configure()
        .dataSource(database.dataSource())
        .locations("classpath:io/outledger/mysql/flyway")
        .table("outledger_history")
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load()
        .migrate();
  }

  @ParameterizedTest
  @EnumSource
  void liquibaseMakesTheTables(On server) throws Exception {
    try (TestDatabase database = server.open()) {
      update(database);
      update(database);
      assertMade(database);
    }
  }

  private static void update(TestDatabase database) throws Exception {
    try (Connection connection = database.connect();
        Liquibase liquibase =
            new Liquibase(
                "io/outledger/mysql/liquibase/changelog.sql",
                new ClassLoaderResourceAccessor(),
                new JdbcConnection(connection))) {
      liquibase.update(new Contexts());
    }
  }

  /** Made as Schema.apply makes them, the collation included, on which equality of keys rests. */
  private static void assertMade(TestDatabase database) throws SQLException {
    Schema.of(database.database()).check(database.dataSource());
    assertThat(database.number("SELECT COUNT(*) FROM {schema}.outledger_schema")).isOne();
    String collations =
        """
        SELECT COUNT(*) FROM information_schema.TABLES t
         WHERE t.TABLE_SCHEMA = {name} AND t.TABLE_NAME LIKE 'outledger\\_%%'
           AND t.TABLE_NAME NOT IN ('outledger_history')
           AND t.TABLE_TYPE = 'BASE TABLE' AND (t.TABLE_COLLATION = '%s') = %s\
        """;
    String ours = database.collation();
    assertThat(database.number(collations.formatted(ours, "FALSE"))).isZero();
    assertThat(database.number(collations.formatted(ours, "TRUE"))).isGreaterThan(10);
    try (Connection connection = database.connect()) {
      assertThat(
              Sql.in(database.tables(), connection, "SELECT 1 FROM {schema}.outledger_lag")
                  .number())
          .isOne();
    }
  }
}
