// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import javax.sql.DataSource;
import liquibase.Contexts;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** The jar's change files, run by the tools that they are for. */
class ChangeFilesIT {

  @Test
  void flywayMakesTheTablesBesideTheApplicationsOwn() throws Exception {
    StoreDatabase database = StoreDatabase.empty();
    database.execute("CREATE TABLE orders (id text)");
    migrate(database.dataSource());
    migrate(database.dataSource());
    PostgreSql.schema("public").check(database.dataSource());
    assertThat(database.number("SELECT count(*) FROM outledger_schema")).isOne();
  }

  private static void migrate(DataSource dataSource) {
    Flyway.configure()
        .dataSource(dataSource)
        .locations("classpath:io/outledger/postgresql/flyway")
        .table("outledger_history")
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load()
        .migrate();
  }

  @Test
  void flywayMakesTheTablesInItsDefaultSchema() {
    StoreDatabase database = StoreDatabase.empty();
    Flyway.configure()
        .dataSource(database.dataSource())
        .locations("classpath:io/outledger/postgresql/flyway")
        .defaultSchema("app")
        .load()
        .migrate();
    PostgreSql.schema("app").check(database.dataSource());
  }

  @Test
  void liquibaseMakesTheTablesInTheSchemaThatItIsTold() throws Exception {
    StoreDatabase database = StoreDatabase.empty();
    update(database, "public");
    update(database, "public");
    PostgreSql.schema("public").check(database.dataSource());
    StoreDatabase other = StoreDatabase.empty();
    other.execute("CREATE SCHEMA app");
    update(other, "app");
    PostgreSql.schema("app").check(other.dataSource());
  }

  private static void update(StoreDatabase database, String schema) throws Exception {
    try (Connection connection = database.dataSource().getConnection();
        Liquibase liquibase =
            new Liquibase(
                "io/outledger/postgresql/liquibase/changelog.sql",
                new ClassLoaderResourceAccessor(),
                new JdbcConnection(connection))) {
      liquibase.setChangeLogParameter("outledger.schema", schema);
      liquibase.update(new Contexts());
    }
  }
}
