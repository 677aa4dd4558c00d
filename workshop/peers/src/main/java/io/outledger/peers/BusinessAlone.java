// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** An application that sends nothing: what its own work costs without any outbox. */
final class BusinessAlone implements Application {

  private final HikariDataSource pool;

  private BusinessAlone(HikariDataSource pool) {
    this.pool = pool;
  }

  static Application open(Site site) {
    return new BusinessAlone(site.pool(Site.CONNECTIONS_DEFAULT));
  }

  @Override
  public void commit(Business business, List<NumberedMessage> messages) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      business.run(connection);
      connection.commit();
    }
  }

  @Override
  public void start() {}

  @Override
  public boolean isSettled() {
    return true;
  }

  @Override
  public void close() {
    pool.close();
  }
}
