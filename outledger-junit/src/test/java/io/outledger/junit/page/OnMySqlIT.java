// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.outledger.servers.MySql;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

/** On MySQL; in {@code ./verify} it is tried on MariaDB. */
@Tag("long")
class OnMySqlIT extends OnNamedIT {

  OnMySqlIT() {
    super(OnMySqlIT::empty);
  }

  private static DataSource empty() {
    MySql server = MySql.shared();
    MysqlDataSource database = new MysqlDataSource();
    database.setUrl(server.jdbcUrl(server.createDatabase()));
    database.setUser(server.user());
    database.setPassword(server.password());
    return database;
  }
}
