// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that answers as another product does; only its answers are played. */
final class LookalikesIT {

  private final TestDatabase database = TestDatabase.empty();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu)          | CockroachDB
          PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64            | YugabyteDB
          PostgreSQL 8.0.2 on i686, compiled by GCC, Redshift 1  | Amazon Redshift
          PostgreSQL 12.12 (Greenplum Database 7.1.0 build abc)  | Greenplum
          """)
  void productThatSaysItsNameIsRefusedByIt(String version, String name) throws SQLException {
    assertRefusedAfter(
        name,
        "CREATE SCHEMA played",
        "CREATE FUNCTION played.version() RETURNS text LANGUAGE sql AS $$ SELECT '"
            + version
            + "'::text $$",
        "SET search_path = played, pg_catalog");
  }

  @Test
  void extensionThatDistributesTablesIsRefused() throws SQLException {
    assertRefusedAfter(
        "Citus",
        "CREATE SCHEMA played",
        "CREATE TABLE played.pg_extension AS SELECT 'citus' AS extname",
        "SET search_path = played, pg_catalog");
  }

  @Test
  void settingsOfAnotherStorageAreRefused() throws SQLException {
    assertRefusedAfter(
        "AlloyDB",
        "CREATE SCHEMA played",
        "CREATE TABLE played.pg_settings AS SELECT 'alloydb.iam_authentication' AS name",
        "SET search_path = played, pg_catalog");
  }

  @Test
  void tableThatOneServiceAloneHasIsRefused() throws SQLException {
    assertRefusedAfter(
        "Aurora DSQL",
        "CREATE SCHEMA sys",
        "CREATE TABLE sys.iam_pg_role_mappings (pg_role_name text)");
  }

  @Test
  void schemaThatOneServiceAloneHasIsRefused() throws SQLException {
    assertRefusedAfter("Spanner", "CREATE SCHEMA spanner_sys");
  }

  /** At each door, and before a table is made; not at each look of a standby. */
  @Test
  void everyDoorAsks() throws SQLException {
    DataSource dataSource = database.dataSource();
    Schema.of(dataSource).apply(dataSource);
    database.execute("CREATE SCHEMA spanner_sys");
    assertRefused(() -> Schema.of(dataSource).apply(dataSource), "Spanner");
    assertRefused(() -> Outledger.builder(dataSource).build(), "Spanner");
  }

  @Test
  void postgresItselfIsTaken() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      assertThatCode(() -> Lookalikes.refuse(connection)).doesNotThrowAnyException();
    }
  }

  private void assertRefusedAfter(String name, String... played) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (String each : played) {
        statement.execute(each);
      }
      assertRefused(() -> Lookalikes.refuse(connection), name);
    }
  }

  private static void assertRefused(ThrowingCallable asked, String name) {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(asked)
        .withMessageContaining("the database is " + name)
        .matches(e -> e.code() == ErrorCode.UNSUPPORTED_DATABASE);
  }
}
