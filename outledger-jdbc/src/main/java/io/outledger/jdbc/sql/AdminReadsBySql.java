// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.AdminSql;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.ReceivedTable;
import io.outledger.jdbc.spi.SqlNaming;
import io.outledger.jdbc.spi.SqlValues;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** What an operator reads, with the texts of one database. Thread-safe. */
public final class AdminReadsBySql implements AdminReads {

  private final OperatorTransactions transactions;
  private final SqlNaming naming;
  private final AdminSql sql;
  private final ReceivedTable received;
  private final Sight blockers;

  /** What a database shows of itself, in words. */
  @FunctionalInterface
  public interface Sight {

    /**
     * Looks.
     *
     * @throws SQLException if the database failed
     */
    String at(Connection connection) throws SQLException;
  }

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @param blockers which transactions keep the relays from going on
   */
  public AdminReadsBySql(
      OperatorTransactions transactions,
      SqlNaming naming,
      AdminSql sql,
      ReceivedTable received,
      Sight blockers) {
    this.transactions = transactions;
    this.naming = naming;
    this.sql = sql.with(naming);
    this.received = received;
    this.blockers = blockers;
  }

  @Override
  public <T> T read(String doing, Work<T> work) {
    return transactions.run(Kind.READS, doing, work::on);
  }

  @Override
  public AdminSql sql() {
    return sql;
  }

  @Override
  public String in(String text) {
    return naming.in(text);
  }

  @Override
  public SqlValues values() {
    return naming.values();
  }

  @Override
  public String blockers(Connection connection) throws SQLException {
    return blockers.at(connection);
  }

  @Override
  public Set<String> consumers(Connection connection) throws SQLException {
    return received.consumers(connection);
  }
}
