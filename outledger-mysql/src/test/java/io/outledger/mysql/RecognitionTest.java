// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
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
    assertThatThrownBy(() -> Recognition.MYSQL.find(server("MySQL", version), null))
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
    assertThat(Recognition.MYSQL.find(server(name, version), null).isPresent()).isEqualTo(isFound);
  }

  @ParameterizedTest
  @CsvSource({
    "MySQL, 5.5.5-10.11.19-MariaDB, true",
    "MariaDB, 11.8.9-MariaDB, true",
    "MariaDB, 10.6.0-MariaDB, true",
    "MySQL, 8.0.12, false"
  })
  void mariaDbIsFound(String name, String version, boolean isFound) throws SQLException {
    assertThat(Recognition.MARIADB.find(server(name, version), null).isPresent())
        .isEqualTo(isFound);
  }

  @ParameterizedTest
  @CsvSource({"5.7.44, MySQL 8.0 or later", "10.5.29-MariaDB, MariaDB 10.6 or later"})
  void olderServerIsRefused(String version, String remedy) {
    Recognition asked = version.contains("MariaDB") ? Recognition.MARIADB : Recognition.MYSQL;
    assertThatThrownBy(() -> asked.find(server("MySQL", version), null))
        .hasMessageStartingWith("OUT-020")
        .hasMessageContaining(remedy);
  }

  /** A server in front of it may greet with a version of its own, or show a chosen one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TiDB | TiDB Server (Apache License 2.0) Community Edition, MySQL 8.0 compatible",
        "Vitess | Version: 10.0.0-RC1 (Git revision 48dccf5 branch 'HEAD') built on Tue Apr 27",
        "Vitess | Version: 13ba0c8ba (Git branch 'main') built on Thu Jan 14 12:14:19 2021",
        "OceanBase | OceanBase_CE 4.4.2.1 (r101000022026050611) (Built May  6 2026 11:54:48)",
        "SingleStore | SingleStoreDB source distribution (compatible; MySQL Enterprise)",
        "StarRocks | StarRocks version 3.4.0",
        "Doris | Doris version doris-3.0.4-rc02"
      })
  void serverIsKnownByTheCommentOnItsVersionToo(String name, String comment) {
    assertThatThrownBy(() -> Lookalike.refuse(comment))
        .hasMessageStartingWith("OUT-020")
        .hasMessageContainingAll(name, comment, "MariaDB 10.6 or later");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "(Ubuntu)",
        "Debian 12",
        "mariadb.org binary distribution",
        "MySQL Community Server - GPL",
        "Percona Server (GPL), Release '16', Revision 'd7301f8'",
        "Source distribution"
      })
  void commentsOfServersThatLockAsInnoDbDoesAreTaken(String comment) {
    assertThatCode(() -> Lookalike.refuse(comment)).doesNotThrowAnyException();
  }
}
