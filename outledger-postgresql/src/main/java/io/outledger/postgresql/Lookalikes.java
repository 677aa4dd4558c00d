// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/**
 * Refuses, by name, servers that speak PostgreSQL's protocol and on which the proof of dead holes
 * was never tried, or cannot hold: it needs one server's snapshots, and sees every transaction.
 */
final class Lookalikes {

  private static final String DISTRIBUTED =
      "spreads its transactions over several servers, so no snapshot shows all that may still"
          + " commit";
  private static final String OWN_STORAGE =
      "keeps its data in a storage of its own, on which no proof was tried";

  private static final List<Lookalike> ALL =
      List.of(
          new Lookalike("CockroachDB", "cockroachdb", DISTRIBUTED),
          new Lookalike("YugabyteDB", "-yb-", DISTRIBUTED),
          new Lookalike("Spanner", "spanner", DISTRIBUTED),
          new Lookalike("Aurora DSQL", "dsql", DISTRIBUTED),
          new Lookalike("Amazon Redshift", "redshift", DISTRIBUTED),
          new Lookalike("Greenplum", "greenplum", DISTRIBUTED),
          new Lookalike("Citus", "extension citus ", DISTRIBUTED),
          new Lookalike("AlloyDB", "setting alloydb.", OWN_STORAGE));

  // What it says of itself, and what it has besides: some answer as PostgreSQL does.
  private static final List<String> ANSWERS =
      List.of(
          "SELECT version()",
          "SELECT 'extension citus ' FROM pg_extension e WHERE e.extname = 'citus'",
          "SELECT 'schema ' || n.nspname FROM pg_namespace n WHERE n.nspname = 'spanner_sys'",
          """
          SELECT 'dsql' FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = 'sys' AND c.relname = 'iam_pg_role_mappings'\
          """,
          "SELECT 'setting ' || s.name FROM pg_settings s WHERE s.name LIKE 'alloydb.%' LIMIT 1");

  private Lookalikes() {}

  /**
   * A server that is not PostgreSQL.
   *
   * @param name its name
   * @param mark what its answers contain, in lower case
   * @param why what the proof misses
   */
  private record Lookalike(String name, String mark, String why) {}

  /**
   * Checks who answers.
   *
   * @throws ConfigurationException {@code OUT-020} if it is none of PostgreSQL's servers
   */
  static void refuse(Connection connection) throws SQLException {
    for (String question : ANSWERS) {
      String answer =
          Sql.of(connection, question)
              .first(row -> row.getString(1))
              .orElse("")
              .toLowerCase(Locale.ROOT);
      for (Lookalike each : ALL) {
        if (answer.contains(each.mark())) {
          throw new ConfigurationException(
              ErrorCode.UNSUPPORTED_DATABASE,
              "the database is "
                  + each.name()
                  + ", which "
                  + each.why()
                  + ": messages could be lost. Use PostgreSQL itself, 13 or later");
        }
      }
    }
  }
}
