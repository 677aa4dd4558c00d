// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.servers.MariaDb;
import io.outledger.spring.contract.JpaOnNamedContract;
import java.util.List;

/** Boot 3's starter with JPA on MariaDB. */
class JpaOnMariaDb35IT extends JpaOnNamedContract {

  @Override
  protected List<String> dataSource() {
    MariaDb server = MariaDb.shared();
    return List.of(
        "spring.datasource.url=" + server.jdbcUrl(server.createDatabase()),
        "spring.datasource.username=" + server.user(),
        "spring.datasource.password=" + server.password());
  }
}
