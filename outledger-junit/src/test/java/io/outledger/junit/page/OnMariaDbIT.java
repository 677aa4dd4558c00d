// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import io.outledger.servers.MariaDb;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** On MariaDB. */
class OnMariaDbIT extends OnNamedIT {

  OnMariaDbIT() {
    super(OnMariaDbIT::empty);
  }

  private static DataSource empty() {
    MariaDb server = MariaDb.shared();
    MariaDbDataSource database = new MariaDbDataSource();
    try {
      database.setUrl(server.jdbcUrl(server.createDatabase()));
      database.setUser(server.user());
      database.setPassword(server.password());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return database;
  }
}
