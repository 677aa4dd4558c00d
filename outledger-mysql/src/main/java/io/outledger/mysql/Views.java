// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * What becomes of views when they are moved: the text of one names its database, also in a dump, so
 * that loaded into another one it shows the first one's rows, or none. And it has the rights of the
 * user that made it, so that nobody can read it once that user is gone.
 */
final class Views {

  // Those that name a table of ours in another database; or none, as what a dump makes first of
  // all. Whoever lacks the right SHOW VIEW sees an empty text.
  private static final String OF_OTHERS =
      """
      SELECT v.TABLE_NAME FROM information_schema.VIEWS v
       WHERE v.TABLE_SCHEMA = {name} AND v.TABLE_NAME LIKE 'outledger\\_%'
         AND v.VIEW_DEFINITION <> ''
         AND (v.VIEW_DEFINITION NOT LIKE '%`.`outledger\\_%'
           OR REPLACE(v.VIEW_DEFINITION, CONCAT('`', {name}, '`.`outledger_'), '')
              LIKE '%`.`outledger\\_%')
       ORDER BY v.TABLE_NAME\
      """;
  private static final String ALL =
      """
      SELECT v.TABLE_NAME FROM information_schema.VIEWS v
       WHERE v.TABLE_SCHEMA = {name} AND v.TABLE_NAME LIKE 'outledger\\_%'\
      """;

  /**
   * The user that made it does not exist, as those are told who may see that and those who may not.
   */
  private static final Set<Integer> MAKER_GONE = Set.of(1449, 1045);

  private Views() {}

  /**
   * Checks that none reads another database, and tells people and alerts of that one.
   *
   * @throws ConfigurationException {@code OUT-003} if one does
   */
  static void require(Connection connection, Tables tables) throws SQLException {
    List<String> others = names(connection, tables, OF_OTHERS);
    if (!others.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.SCHEMA_MISSING,
          "views of database "
              + tables.schema()
              + " read another database's tables, as a dump leaves them that was loaded under"
              + " another name, so they show that one's rows: "
              + String.join(", ", others)
              + ". Make them anew with Schema.apply(dataSource)");
    }
  }

  /** Returns whether they are to be made anew. */
  static boolean areBroken(Connection connection, Tables tables) throws SQLException {
    if (!names(connection, tables, OF_OTHERS).isEmpty()) {
      return true;
    }
    for (String view : names(connection, tables, ALL)) {
      if (isMakerGone(connection, tables, view)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMakerGone(Connection connection, Tables tables, String view)
      throws SQLException {
    try {
      Sql.in(tables, connection, "SELECT 1 FROM {schema}." + view + " LIMIT 0").number();
      return false;
    } catch (SQLException e) {
      if (tables.errors().classOf(e).endsSession()) {
        throw e;
      }
      return MAKER_GONE.contains(e.getErrorCode());
    }
  }

  private static List<String> names(Connection connection, Tables tables, String sql)
      throws SQLException {
    return Sql.in(tables, connection, sql).rows(row -> row.getString(1));
  }
}
