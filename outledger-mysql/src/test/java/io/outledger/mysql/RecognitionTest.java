// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers are known by what they say of their version, whichever driver asks. */
class RecognitionTest {

  private static final Recognition MYSQL = new Recognition(Product.MYSQL, 8, 0);
  private static final Recognition MARIADB = new Recognition(Product.MARIADB, 10, 6);

  /** What a driver tells of a server. */
  private static DatabaseMetaData server(String name, String version) {
    return (DatabaseMetaData)
        Proxy.newProxyInstance(
            RecognitionTest.class.getClassLoader(),
            new Class<?>[] {DatabaseMetaData.class},
            (proxy, method, values) ->
                switch (method.getName()) {
                  case "getDatabaseProductName" -> name;
                  case "getDatabaseProductVersion" -> version;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.0.11-TiDB-v8.5.1",
        "8.0.30-Vitess",
        "5.7.25-OceanBase-v4.3.5",
        "5.7.32 SingleStoreDB source distribution",
        "5.5.58 MemSQL source distribution",
        "8.0.33 StarRocks version 3.4.0",
        "5.7.99 Doris version doris-3.0.4",
        "8.0.32-PolarDB"
      })
  void serverThatMerelySpeaksTheProtocolIsRefusedByName(String version) {
    assertThatThrownBy(() -> MYSQL.find(server("MySQL", version), null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-020")
        .hasMessageContaining(version)
        .hasMessageContaining("MySQL 8.0 or later");
  }

  @ParameterizedTest
  @CsvSource({
    "MySQL, 8.0.12, true",
    "MySQL, 9.7.4-2, true",
    "MySQL, 5.5.5-10.11.19-MariaDB, false",
    "MariaDB, 11.8.9-MariaDB, false",
    "PostgreSQL, 18.6, false"
  })
  void mySqlIsFound(String name, String version, boolean isFound) throws SQLException {
    assertThat(MYSQL.find(server(name, version), null).isPresent()).isEqualTo(isFound);
  }

  @ParameterizedTest
  @CsvSource({
    "MySQL, 5.5.5-10.11.19-MariaDB, true",
    "MariaDB, 11.8.9-MariaDB, true",
    "MariaDB, 10.6.0-MariaDB, true",
    "MySQL, 8.0.12, false"
  })
  void mariaDbIsFound(String name, String version, boolean isFound) throws SQLException {
    assertThat(MARIADB.find(server(name, version), null).isPresent()).isEqualTo(isFound);
  }

  @ParameterizedTest
  @CsvSource({"5.7.44, MySQL 8.0 or later", "10.5.29-MariaDB, MariaDB 10.6 or later"})
  void olderServerIsRefused(String version, String remedy) {
    Recognition asked = version.contains("MariaDB") ? MARIADB : MYSQL;
    assertThatThrownBy(() -> asked.find(server("MySQL", version), null))
        .hasMessageStartingWith("OUT-020")
        .hasMessageContaining(remedy);
  }
}
