// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Somebody's transaction, open until it is closed. */
final class HeldTransaction implements AutoCloseable {

  private final Connection connection;

  HeldTransaction(String jdbcUrl) throws SQLException {
    this.connection = DriverManager.getConnection(jdbcUrl);
  }

  /** Begins by reading something, and goes on seeing the database as it is now. */
  void read() throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    begin("SELECT count(*) FROM placed_order");
  }

  /**
   * Begins by placing an order. With Outledger it is about to append besides: only who holds a lock
   * on the ledger may yet fill the holes in it. The tables of others it leaves alone: they begin by
   * making what is missing of them, and would wait for it.
   */
  void write(Product product) throws SQLException {
    begin("INSERT INTO placed_order (customer, cents) VALUES ('somebody slow', 1)");
    if (product == Product.OUTLEDGER) {
      Sql.run(connection, "LOCK TABLE outledger_message IN ROW EXCLUSIVE MODE");
    }
  }

  private void begin(String sql) throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, sql);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
