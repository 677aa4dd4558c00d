// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What becomes of views when they are moved: the text of one names its database, also in a dump, so
 * that loaded into another one it shows the first one's rows, or none. And it has the rights of the
 * user that made it, so that nobody can read it once that user is gone.
 */
final class Views {

  // Whoever lacks the right SHOW VIEW sees an empty text.
  private static final String ALL =
      """
      SELECT v.TABLE_NAME, v.VIEW_DEFINITION, @@lower_case_table_names
        FROM information_schema.VIEWS v
       WHERE v.TABLE_SCHEMA = {name} AND v.TABLE_NAME IN (%s)
       ORDER BY v.TABLE_NAME\
      """;

  /** What a statement begins with that makes a view, up to the view's name. */
  private static final String MADE = "CREATE OR REPLACE VIEW ";

  private static final String TABLE = "`.`outledger_";

  /**
   * The user that made it does not exist, as those are told who may see that and those who may not.
   */
  private static final Set<Integer> MAKER_GONE = Set.of(1449, 1045);

  private Views() {}

  /** One that is there, with its text as the database shows it. */
  private record View(String name, String text, boolean isCaseKept) {

    /** Or none of ours, as what a dump makes first of all. */
    boolean isOfOthers(String schema) {
      String own = '`' + schema + TABLE;
      int ours =
          isCaseKept
              ? count(text, own)
              : count(text.toLowerCase(Locale.ROOT), own.toLowerCase(Locale.ROOT));
      return !text.isEmpty() && (ours == 0 || ours < count(text, TABLE));
    }

    private static int count(String text, String part) {
      return text.split(Pattern.quote(part), -1).length - 1;
    }
  }

  /** Returns those statements of a script that make views. */
  static List<String> made(String script) {
    return MySqlSchema.statements(script).stream().filter(each -> each.contains(MADE)).toList();
  }

  /**
   * Checks that none that a script makes reads another database, and tells people and alerts of
   * that one.
   *
   * @throws ConfigurationException {@code OUT-003} if one does
   */
  static void require(Connection connection, Tables tables, String script) throws SQLException {
    List<String> others =
        views(connection, tables, script).stream()
            .filter(view -> view.isOfOthers(tables.schema()))
            .map(View::name)
            .toList();
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

  /** Returns whether those that a script makes are to be made anew. */
  static boolean areBroken(Connection connection, Tables tables, String script)
      throws SQLException {
    for (View view : views(connection, tables, script)) {
      if (view.isOfOthers(tables.schema()) || isMakerGone(connection, tables, view.name())) {
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

  /** Others of an operator's may be named like ours, and read what they want. */
  private static List<View> views(Connection connection, Tables tables, String script)
      throws SQLException {
    String before = MADE + tables.quotedSchema() + '.';
    List<String> names =
        made(script).stream()
            .map(each -> each.substring(each.indexOf(before) + before.length()).split("\\s", 2)[0])
            .toList();
    if (names.isEmpty()) {
      return List.of();
    }
    String places = String.join(", ", Collections.nCopies(names.size(), "?"));
    return Sql.in(tables, connection, ALL.formatted(places), names.toArray())
        .rows(row -> new View(row.getString(1), row.getString(2), row.getInt(3) == 0));
  }
}
