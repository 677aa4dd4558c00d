// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Says what to grant where a server refuses a right. It looks for names of tables and privileges in
 * what the server says, and for no other word: servers speak many languages.
 */
public final class MissingRight {

  private static final Pattern USER = Pattern.compile("'[^']*'@'[^']*'");
  private static final Pattern QUOTED = Pattern.compile("'[^']*'|`[^`]*`|\"[^\"]*\"");
  private static final Pattern TABLE =
      Pattern.compile("outledger_\\w+", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  private static final Pattern PRIVILEGE =
      Pattern.compile(
          "\\b(SELECT with locking clause|SELECT|INSERT|UPDATE|DELETE|LOCK TABLES|CREATE"
              + " VIEW|CREATE|DROP|ALTER|INDEX|REFERENCES)\\b");

  /** How MySQL asks whoever locks rows for a right that only a database has. */
  private static final Set<String> TO_LOCK = Set.of("LOCK TABLES", "SELECT with locking clause");

  private static final Set<String> OF_ROWS = Set.of("SELECT", "INSERT", "UPDATE", "DELETE");

  private static final String LISTED =
      "docs/schema.md, and docs/databases.md for MySQL and MariaDB, list the rights of each role";

  private MissingRight() {}

  /**
   * Returns what to do, without a full stop.
   *
   * @param refused the failure, of {@link ErrorClass#RIGHT_MISSING}
   * @param needed what is to be granted on a table by its name, where the server names no
   *     privilege, as PostgreSQL and H2 do not; tables that are not in it are possible
   */
  public static String remedy(SQLException refused, Map<String, String> needed) {
    Require.nonNull("refused", refused);
    Require.nonNull("needed", needed);
    String line = USER.matcher(RedactedSqlException.firstLine(refused)).replaceAll("");
    Set<String> privileges = privileges(QUOTED.matcher(line).replaceAll(""));
    String table = last(TABLE.matcher(line).results().map(MatchResult::group).toList());
    boolean locks = privileges.stream().anyMatch(TO_LOCK::contains);
    if (!table.isEmpty() && locks) {
      return granting("SELECT", table) + ", and LOCK TABLES on its database";
    }
    if (table.isEmpty() || !OF_ROWS.containsAll(privileges)) {
      return "the user lacks a right: "
          + LISTED
          + "; whoever applies the schema needs the right to make tables and views";
    }
    if (!privileges.isEmpty()) {
      return granting(String.join(" and ", privileges), table);
    }
    return needed.containsKey(table)
        ? granting(needed.get(table), table)
        : "the user lacks a right on " + table + ": " + LISTED;
  }

  private static String granting(String privileges, String table) {
    return "grant the user " + privileges + " on " + table;
  }

  private static Set<String> privileges(String line) {
    return PRIVILEGE
        .matcher(line)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String last(List<String> tables) {
    return tables.isEmpty() ? "" : tables.get(tables.size() - 1).toLowerCase(Locale.ROOT);
  }
}
