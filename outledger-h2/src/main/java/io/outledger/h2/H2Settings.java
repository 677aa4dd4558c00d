// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Refuses settings of a database in which messages could be lost, or statements fail. */
final class H2Settings {

  /** Those in which H2 takes all statements, and means by them what it means in its own mode. */
  private static final List<String> MODES =
      List.of("REGULAR", "LEGACY", "PostgreSQL", "MySQL", "MariaDB", "DB2", "HSQLDB");

  private static final String IS_NEW_INFORMATION_SCHEMA =
      """
      SELECT COUNT(*) FROM INFORMATION_SCHEMA.COLUMNS c
       WHERE UPPER(c.TABLE_NAME) = 'SETTINGS' AND UPPER(c.COLUMN_NAME) = 'SETTING_VALUE'\
      """;
  private static final String LOCK_MODE = "SELECT LOCK_MODE()";
  private static final String SETTING =
      """
      SELECT s.SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS s WHERE s.SETTING_NAME = ?\
      """;

  private H2Settings() {}

  /**
   * Checks what everybody needs, writers too, before any table is made.
   *
   * @throws ConfigurationException {@code OUT-020} with what to set
   */
  static void check(Connection connection) throws SQLException {
    if (Sql.of(connection, IS_NEW_INFORMATION_SCHEMA).number() == 0) {
      throw refused("the connection has OLD_INFORMATION_SCHEMA=TRUE: remove it from the URL");
    }
    String mode = setting(connection, "MODE");
    if (MODES.stream().noneMatch(mode::equalsIgnoreCase)) {
      throw refused(
          "the database is in MODE="
              + mode
              + ("Oracle".equalsIgnoreCase(mode) ? ", in which an empty string is null" : "")
              + ": use one of the modes "
              + MODES);
    }
    if (Sql.of(connection, LOCK_MODE).number() == 0) {
      throw refused(
          "the database is in LOCK_MODE 0, in which transactions do not lock tables, and messages"
              + " could be lost: execute SET LOCK_MODE 3");
    }
    if (!setting(connection, "IGNORECASE").equals("0")) {
      throw refused(
          "the database has IGNORECASE, so an inbox would take the message A for a duplicate of the"
              + " message a, and lose it: execute SET IGNORECASE FALSE, and declare the columns of"
              + " your own tables that ignore case as VARCHAR_IGNORECASE");
    }
    String collation = setting(connection, "COLLATION");
    if (!collation.equals("0") && !collation.equals("OFF")) {
      throw refused(
          "the database has COLLATION "
              + collation
              + ", so texts that differ may count as equal: an inbox would take the message ä for a"
              + " duplicate of the message a, and lose it. Use a database with SET COLLATION OFF,"
              + " which H2 allows only before the first table is made");
    }
  }

  private static String setting(Connection connection, String name) throws SQLException {
    return Sql.of(connection, SETTING, name).first(row -> row.getString(1)).orElse("0");
  }

  private static ConfigurationException refused(String text) {
    return new ConfigurationException(ErrorCode.UNSUPPORTED_DATABASE, text);
  }
}
