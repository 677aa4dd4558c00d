// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.database;

import io.outledger.frontier.Frontier;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What the shop and its judge say to a database. The tables: {@code account} (its key, a counter),
 * {@code effect}, and what the judge has kept by triggers of what Outledger removes: {@code audit}
 * (each cursor row and when it came), {@code purged}, {@code dead}.
 */
public interface ShopSql {

  /** The subscription that the relays compete for. */
  String SUBSCRIPTION = "shop";

  /** How many accounts there are. */
  int ACCOUNTS = 40;

  /** How many of those there are whose messages are refused now and then. */
  int REFUSED = 6;

  /** Returns the statements that make the tables, beside Outledger's own. */
  List<String> tables();

  /** Locks an account and adds to its counter, and returns the new value. By primary key. */
  long count(Connection connection, String key, int more) throws SQLException;

  /** Returns the value of an id in a statement. */
  Object value(UUID id);

  /** Reads an id. */
  UUID id(ResultSet row, int column) throws SQLException;

  /** Reads the time of a message. */
  Instant time(ResultSet row, int column) throws SQLException;

  /** Looks where the shop stands. Looking costs the same however long the ledger is. */
  ShopState state(Connection connection) throws SQLException;

  /** Returns a statement that inserts records of an inbox that are 30 days old. */
  String oldInboxRecords();

  /**
   * Returns the query for the audit: number, incarnation, whether the lease was taken, when in
   * milliseconds, high, whether it was given back, and what {@link #frontier} reads.
   */
  String owners();

  /** Returns the query for the cursor as it is now, with the same columns. */
  String cursor();

  /** Reads the frontier of such a row. */
  Frontier frontier(ResultSet row) throws SQLException;
}
