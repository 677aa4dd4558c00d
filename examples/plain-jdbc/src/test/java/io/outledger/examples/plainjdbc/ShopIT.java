// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.plainjdbc;

import io.outledger.junit.crash.CrashTest;
import io.outledger.junit.crash.CrashTrial;
import io.outledger.servers.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Whichever step the process crashes at, an order that was placed has one invoice. */
class ShopIT {

  @CrashTest
  void anOrderHasOneInvoice(CrashTrial trial) throws Exception {
    DataSource database = emptyDatabase();
    trial
        .start(process -> new Shop(process.dataSource(database), process.clock()))
        .request(shop -> shop.orders().place("o-1", "ada", 1990))
        .settle((process, shop) -> process.drain(shop.invoicing()))
        .observe(() -> observed(database))
        .check();
  }

  private static DataSource emptyDatabase() throws SQLException {
    Postgres server = Postgres.shared();
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(server.jdbcUrl(server.createDatabase()));
    Shop.createTables(database);
    return database;
  }

  private static List<String> observed(DataSource database) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT 'order ' || id FROM orders"
                    + " UNION ALL SELECT 'invoice for ' || order_id FROM invoice")) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return lines;
  }
}
