// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * What an operator reads that databases do in ways of their own. What need not differ is in {@code
 * io.outledger.jdbc.reading}, for all of them. Thread-safe.
 */
public interface AdminReads extends SqlNaming {

  /**
   * Runs reads over one connection, in a transaction of its own that changes nothing.
   *
   * @param doing what is read, for the error's text, such as {@code listing parked messages}
   * @throws io.outledger.StoreException if the database failed
   */
  <T> T read(String doing, Work<T> work);

  /** Returns the database's texts, with the schema's name in them. */
  AdminSql sql();

  /** Names the open transactions that write the ledger, oldest first, in a sentence for people. */
  String blockers(Connection connection) throws SQLException;

  /** Returns the names of the consumers that have processed or parked a message. */
  Set<String> consumers(Connection connection) throws SQLException;

  /**
   * What is read.
   *
   * @param <T> what comes of it
   */
  @FunctionalInterface
  interface Work<T> {

    /** Reads it. */
    T on(Connection connection) throws SQLException;
  }
}
