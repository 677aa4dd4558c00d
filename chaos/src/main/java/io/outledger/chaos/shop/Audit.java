// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Keeps every cursor row for the judge, since the relay purges its own, and when it came. */
final class Audit {

  private Audit() {}

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE audit (
            n bigint PRIMARY KEY, incarnation text, taken boolean, at timestamptz, high bigint,
            firsts bigint[], lasts bigint[], aged_firsts bigint[], aged_lasts bigint[],
            released boolean)\
          """);
      statement.execute(
          """
          CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO public.audit
            SELECT NEW.n, NEW.incarnation::text, NEW.taken, clock_timestamp(), NEW.high,
                   NEW.open_first, NEW.open_last,
                   coalesce(array_agg(first ORDER BY first), '{}'),
                   coalesce(array_agg(last ORDER BY first), '{}'), NEW.lease_until IS NULL
              FROM public.outledger_hole WHERE NEW.taken;
            RETURN NULL;
          END $$\
          """);
      statement.execute(
          "CREATE TRIGGER audit AFTER INSERT ON outledger_cursor FOR EACH ROW EXECUTE FUNCTION"
              + " audit()");
    }
  }
}
