// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import io.outledger.servers.Postgres;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A flow that is right survives a crash at each of its steps. */
class CrashTestIT {

  private static final String TEMPLATE = template();

  private static String template() {
    String template = Postgres.shared().createDatabase();
    Shop.createTables(dataSource(template));
    return template;
  }

  static DataSource emptyDatabase() {
    return dataSource(Postgres.shared().createDatabaseFrom(TEMPLATE));
  }

  private static DataSource dataSource(String name) {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(Postgres.shared().jdbcUrl(name));
    return database;
  }

  @CrashTest
  void anOrderIsPublishedMailedAndReserved(CrashTrial trial) throws Exception {
    DataSource database = emptyDatabase();
    trial
        .start(process -> new Shop(process, database))
        .request(shop -> shop.place("o-1"))
        .settle((process, shop) -> shop.settle())
        .observe(() -> Shop.observe(database))
        .check();
  }
}
