// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import io.outledger.chaos.roles.RoleSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Keeps for the judge what Outledger removes: every cursor row and when it came, messages that were
 * purged, and dead letters.
 */
final class Audit {

  private Audit() {}

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE audit (
            n bigint PRIMARY KEY, incarnation text, taken boolean, at timestamptz, high bigint,
            firsts bigint[], lasts bigint[], overflow_firsts bigint[], overflow_lasts bigint[],
            released boolean)\
          """);
      statement.execute(
          """
          CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO public.audit
            SELECT NEW.n, NEW.incarnation::text, NEW.taken, clock_timestamp(), NEW.high,
                   NEW.open_first, NEW.open_last,
                   coalesce(array_agg(first_position ORDER BY first_position), '{}'),
                   coalesce(array_agg(last_position ORDER BY first_position), '{}'),
                   NEW.lease_until IS NULL
              FROM public.outledger_hole h
             WHERE NEW.taken AND h.subscription = NEW.subscription;
            RETURN NULL;
          END $$\
          """);
      statement.execute(
          "CREATE TRIGGER audit AFTER INSERT ON outledger_cursor FOR EACH ROW WHEN"
              + " (NEW.subscription = '"
              + RoleSettings.SUBSCRIPTION
              + "') EXECUTE FUNCTION audit()");
      purged(statement);
      dead(statement);
    }
  }

  /** Messages that retention has removed, for they have arrived all the same. */
  private static void purged(Statement statement) throws SQLException {
    statement.execute("CREATE TABLE purged (id uuid NOT NULL, position bigint NOT NULL)");
    statement.execute(
        """
        CREATE FUNCTION purged() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO public.purged SELECT id, position FROM gone;
          RETURN NULL;
        END $$\
        """);
    statement.execute(
        "CREATE TRIGGER purged AFTER DELETE ON outledger_message REFERENCING OLD TABLE AS gone"
            + " FOR EACH STATEMENT EXECUTE FUNCTION purged()");
  }

  /** Messages that were dead letters once: without them their keys have gone on. */
  private static void dead(Statement statement) throws SQLException {
    statement.execute("CREATE TABLE dead (id uuid NOT NULL, position bigint NOT NULL)");
    statement.execute("CREATE INDEX dead_id ON dead (id)");
    statement.execute(
        """
        CREATE FUNCTION dead() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO public.dead VALUES (NEW.id, NEW.position);
          RETURN NULL;
        END $$\
        """);
    statement.execute(
        "CREATE TRIGGER dead AFTER INSERT OR UPDATE ON outledger_parked FOR EACH ROW"
            + " WHEN (NEW.state = 'dead') EXECUTE FUNCTION dead()");
  }
}
