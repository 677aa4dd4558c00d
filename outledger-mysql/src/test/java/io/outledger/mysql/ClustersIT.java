// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that answers as one of a cluster does; only its answer is played. */
final class ClustersIT {

  private static final String ASKED = "SHOW GLOBAL VARIABLES";
  private static final String ANSWER =
      "SELECT 'sql_mode', 'STRICT_TRANS_TABLES' UNION ALL SELECT '%s', '%s'";

  @ParameterizedTest
  @CsvSource({
    "MARIADB, wsrep_on, ON, use a server without Galera",
    "MYSQL, group_replication_single_primary_mode, OFF, use one primary"
  })
  void serverThatDoesNotSeeTheLocksOfOthersIsRefused(
      ChangeFilesIT.On product, String name, String value, String remedy) throws SQLException {
    try (TestDatabase database = product.open();
        Connection connection = playing(database.connect(), name, value)) {
      assertThatThrownBy(() -> MySqlSettings.check(connection, database.tables()))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageStartingWith("OUT-020")
          .hasMessageContaining(name + " = " + value)
          .hasMessageContaining(remedy);
    }
  }

  /** Whatever the greeting of the server says that is asked. */
  @ParameterizedTest
  @CsvSource({
    "MYSQL, version, 8.0.11-TiDB-v8.5.1, TiDB",
    "MYSQL, version_comment, Version: 22.0.0 (Git revision 1a2b3c4 branch HEAD), Vitess"
  })
  void serverWithoutInnoDbIsRefusedByWhatItSaysItself(
      ChangeFilesIT.On product, String name, String value, String lookalike) throws SQLException {
    try (TestDatabase database = product.open();
        Connection connection = playing(database.connect(), name, value)) {
      assertThatThrownBy(() -> MySqlSettings.check(connection, database.tables()))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageStartingWith("OUT-020")
          .hasMessageContaining("the database is " + lookalike);
    }
  }

  @ParameterizedTest
  @CsvSource({"MARIADB, wsrep_on, OFF", "MYSQL, group_replication_single_primary_mode, ON"})
  void serverThatSeesAllLocksIsTaken(ChangeFilesIT.On product, String name, String value)
      throws SQLException {
    try (TestDatabase database = product.open();
        Connection connection = playing(database.connect(), name, value)) {
      assertThatCode(() -> MySqlSettings.check(connection, database.tables()))
          .doesNotThrowAnyException();
    }
  }

  private static Connection playing(Connection real, String name, String value) {
    return (Connection)
        Proxy.newProxyInstance(
            ClustersIT.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, values) ->
                values != null && values[0] instanceof String sql && sql.startsWith(ASKED)
                    ? real.prepareStatement(ANSWER.formatted(name, value))
                    : method.invoke(real, values));
  }
}
