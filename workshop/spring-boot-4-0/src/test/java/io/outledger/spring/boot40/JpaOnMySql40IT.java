// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.servers.MySql;
import io.outledger.spring.contract.JpaOnNamedContract;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The starter with JPA on MySQL; in {@code ./verify} it is tried on MariaDB. */
@Tag("long")
class JpaOnMySql40IT extends JpaOnNamedContract {

  @Override
  protected List<String> dataSource() {
    MySql server = MySql.shared();
    return List.of(
        "spring.datasource.url=" + server.jdbcUrl(server.createDatabase()),
        "spring.datasource.username=" + server.user(),
        "spring.datasource.password=" + server.password());
  }
}
