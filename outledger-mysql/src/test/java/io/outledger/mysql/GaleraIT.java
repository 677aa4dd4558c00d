// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server of a Galera cluster is refused under whichever name it answers: its locks are its own.
 * Only what it shows is played, as each of them shows it: of those that are built on MySQL, {@code
 * wsrep_on} is no global variable.
 */
final class GaleraIT {

  @ParameterizedTest
  @CsvSource({
    "MARIADB, wsrep_on, ON",
    "MARIADB, wsrep_provider, /usr/lib/galera/libgalera_smm.so",
    "MYSQL, wsrep_on, ON",
    "MYSQL, wsrep_provider, /usr/lib64/galera4/libgalera_smm.so"
  })
  void serverOfAClusterIsRefused(ChangeFilesIT.On product, String variable, String value)
      throws SQLException {
    try (TestDatabase database = product.open();
        Connection connection = showing(database, variable, value)) {
      assertThatThrownBy(() -> MySqlSettings.check(connection, database.tables()))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageStartingWith("OUT-020")
          .hasMessageContaining(variable + " = " + value)
          .hasMessageContaining("use a server without Galera");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MARIADB, wsrep_on, OFF",
    "MARIADB, wsrep_provider, none",
    "MYSQL, wsrep_provider, none",
    "MYSQL, wsrep_provider, ''"
  })
  void serverThatCouldBeOneOfAClusterIsTaken(
      ChangeFilesIT.On product, String variable, String value) throws SQLException {
    try (TestDatabase database = product.open();
        Connection connection = showing(database, variable, value)) {
      assertThatCode(() -> MySqlSettings.check(connection, database.tables()))
          .doesNotThrowAnyException();
    }
  }

  private static Connection showing(TestDatabase database, String variable, String value)
      throws SQLException {
    return PlayedAnswers.over(
        database.connect(),
        sql ->
            sql.startsWith("SHOW GLOBAL VARIABLES")
                ? "SELECT 'sql_mode', 'STRICT_TRANS_TABLES' UNION ALL SELECT '%s', '%s'"
                    .formatted(variable, value)
                : sql);
  }
}
