// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import javax.sql.DataSource;

/**
 * The tables that Outledger needs, made by numbered scripts that the database's module ships.
 * Thread-safe.
 */
public interface LedgerSchema {

  /** Returns the SQL that makes an empty database ready, for a migration tool or a person. */
  String print();

  /**
   * Makes or upgrades the tables, and puts back rows of theirs that somebody has removed. Does
   * nothing where they are up to date; two that apply at the same time wait for each other. Where
   * the database can change tables in a transaction, a failure changes nothing; elsewhere applying
   * again continues from where it failed.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-005} if the tables are newer than this
   *     release
   * @throws io.outledger.StoreException if the database failed or refused
   */
  void apply(DataSource dataSource);

  /**
   * Removes every message, and all that is parked and remembered of messages, in one transaction.
   * The numbers go on, and what is removed counts as purged, so that this is still the same ledger.
   * Subscriptions stay where they are.
   *
   * @throws io.outledger.StoreException if the database failed or refused
   */
  void empty(DataSource dataSource);

  /**
   * Checks that the tables are there in the version that this release needs, and that the database
   * is set up as its other promises need it. Reads only.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-003} if the tables are missing, or a row
   *     that the schema inserts, {@code OUT-004} if they are older, {@code OUT-005} if they are
   *     newer, {@code OUT-020} if the database is set up in a way that is not supported
   * @throws io.outledger.StoreException if the database failed
   */
  void check(DataSource dataSource);
}
