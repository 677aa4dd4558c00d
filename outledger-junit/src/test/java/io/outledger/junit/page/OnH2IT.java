// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.page;

import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** On H2 in memory, without a server. */
class OnH2IT extends OnNamedIT {

  private static final AtomicInteger DATABASES = new AtomicInteger();

  OnH2IT() {
    super(OnH2IT::empty);
  }

  private static DataSource empty() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:kit" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
    return database;
  }
}
