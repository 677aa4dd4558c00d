// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import java.sql.SQLException;

/**
 * The clock of one database, which is ahead of the server's by what a table says.
 *
 * @param database made before anybody has used it, so that no statement knows the server's clock
 */
record MovableClock(StoreDatabase database) {

  private static final String MOVABLE_CLOCK =
      """
      CREATE TABLE public.ahead AS SELECT interval '0' AS by_much;
      ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO true_clock;
      CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
        AS 'SELECT pg_catalog.true_clock() + by_much FROM public.ahead'\
      """;

  static MovableClock of(StoreDatabase database) throws SQLException {
    database.execute(MOVABLE_CLOCK);
    return new MovableClock(database);
  }

  /** Sets it, from the next look at it on. */
  void setAhead(String byMuch) throws SQLException {
    database.execute("UPDATE public.ahead SET by_much = interval '" + byMuch + "'");
  }
}
