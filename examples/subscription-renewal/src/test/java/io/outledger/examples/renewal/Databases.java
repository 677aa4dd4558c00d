// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** Databases in memory. */
final class Databases {

  private static final AtomicInteger MADE = new AtomicInteger();

  private Databases() {}

  /** Makes one with empty tables. */
  static DataSource empty() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:renewal" + MADE.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
    try {
      Application.createTables(database);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return database;
  }
}
