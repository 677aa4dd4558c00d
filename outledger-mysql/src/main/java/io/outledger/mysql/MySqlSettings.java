// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Refuses settings of a server with which messages could be lost, or statements fail. */
final class MySqlSettings {

  // What the server says of its version, which one in front of it may hide in its greeting.
  private static final List<String> VERSIONS = List.of("version", "version_comment");

  private static final String ALL =
      "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('sql_mode', '%s', '%s')"
          .formatted(
              String.join("', '", VERSIONS),
              Condition.ALL.stream().map(Condition::variable).collect(Collectors.joining("', '")));

  // Those of the connection itself: a pool or a URL may set them, and the server may have no log.
  private static final String BINARY_LOG =
      """
      SHOW SESSION VARIABLES WHERE Variable_name IN ('log_bin', 'sql_log_bin', 'binlog_format')\
      """;
  private static final String ENGINE =
      """
      SELECT CONCAT(t.TABLE_NAME, ' (', t.ENGINE, ')') FROM information_schema.TABLES t
       WHERE t.TABLE_SCHEMA = {name} AND t.TABLE_NAME LIKE 'outledger\\_%'
         AND t.TABLE_TYPE = 'BASE TABLE' AND t.ENGINE <> 'InnoDB'
       ORDER BY t.TABLE_NAME\
      """;

  // What runs of a replica: MariaDB counts it among its status, MySQL in a table of its own.
  private static final String REPLICATING = "SHOW GLOBAL STATUS LIKE 'Slaves_running'";

  private static final String APPLYING =
      """
      SELECT COUNT(*) FROM performance_schema.replication_applier_status
       WHERE SERVICE_STATE = 'ON' AND CHANNEL_NAME NOT LIKE 'group_replication%'\
      """;

  private static final String FINE = "2026-01-02T03:04:05.678901Z";
  private static final String FRACTION =
      """
      SELECT COUNT(*) FROM (SELECT CAST(? AS DATETIME(6)) t) f
       WHERE f.t = '2026-01-02 03:04:05.678901'\
      """;

  private static final String RANGES =
      "SELECT COUNT(*) FROM JSON_TABLE('[]', '$[*]' COLUMNS (f BIGINT PATH '$')) o";

  private MySqlSettings() {}

  /**
   * Checks what everybody needs, writers too, before any table is made.
   *
   * @throws ConfigurationException {@code OUT-020} with what to set
   */
  static void check(Connection connection, Tables tables) throws SQLException {
    Map<String, String> values = variables(connection, tables, ALL);
    VERSIONS.forEach(each -> Lookalike.refuse(values.getOrDefault(each, "")));
    for (Condition each : Condition.ALL) {
      String value = values.getOrDefault(each.variable(), each.values().get(0));
      if (each.values().stream().noneMatch(value::equalsIgnoreCase)) {
        throw refused("the server has " + each.variable() + " = " + value + ", " + each.why());
      }
    }
    String mode = values.getOrDefault("sql_mode", "");
    if (!mode.contains("STRICT_TRANS_TABLES") && !mode.contains("STRICT_ALL_TABLES")) {
      throw refused(
          "the server has sql_mode = '"
              + mode
              + "', which is not strict: an append whose gate is missing would not fail, and texts"
              + " would be cut. Add STRICT_TRANS_TABLES to sql_mode");
    }
    if (replicates(connection, tables)) {
      throw refused(
          "the server replicates another server. Rows that come so lock no gate, and messages could"
              + " be lost: connect to the primary server. Where this one has become the primary,"
              + " end its replication: STOP REPLICA, or STOP SLAVE with MariaDB. One that"
              + " replicates other databases cannot have a ledger beside them");
    }
    if (Sql.in(tables, connection, FRACTION, Instant.parse(FINE)).number() == 0) {
      throw refused(
          "the driver cuts times to seconds, so that messages would be delivered before theirs:"
              + " take sendFractionalSeconds=false out of the URL; MySQL's driver does it with"
              + " MariaDB, which needs MariaDB's");
    }
    checkBinaryLog(variables(connection, tables, BINARY_LOG));
    List<String> others = Sql.in(tables, connection, ENGINE).rows(row -> row.getString(1));
    if (!others.isEmpty()) {
      throw refused(
          "tables have a storage engine without transactions, which neither rolls back nor locks a"
              + " row: "
              + String.join(", ", others)
              + ". Execute ALTER TABLE … ENGINE = InnoDB for each");
    }
  }

  /** Also one that takes writes. MySQL does not tell who may not read of it. */
  private static boolean replicates(Connection connection, Tables tables) throws SQLException {
    Optional<String> running =
        Sql.in(tables, connection, REPLICATING).first(row -> row.getString(2));
    if (running.isPresent()) {
      return !running.get().equals("0");
    }
    try {
      return Sql.in(tables, connection, APPLYING).number() > 0;
    } catch (SQLException e) {
      if (tables.errors().classOf(e) != ErrorClass.RIGHT_MISSING) {
        throw e;
      }
      return false;
    }
  }

  private static Map<String, String> variables(Connection connection, Tables tables, String sql)
      throws SQLException {
    return Sql.in(tables, connection, sql)
        .rows(row -> Map.entry(row.getString(1).toLowerCase(Locale.ROOT), row.getString(2)))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static void checkBinaryLog(Map<String, String> session) {
    boolean isWritten =
        "ON".equalsIgnoreCase(session.getOrDefault("log_bin", "OFF"))
            && "ON".equalsIgnoreCase(session.getOrDefault("sql_log_bin", "ON"));
    if (isWritten && "STATEMENT".equalsIgnoreCase(session.getOrDefault("binlog_format", "ROW"))) {
      throw refused(
          "the session has binlog_format = STATEMENT, so the server refuses what a relay writes,"
              + " whose transactions are READ COMMITTED: set it to ROW, for the server or in the"
              + " data source");
    }
  }

  /**
   * Checks what a relay needs besides.
   *
   * @throws ConfigurationException {@code OUT-020} with what to set
   */
  static void checkDurable(Connection connection, Tables tables) throws SQLException {
    String flushed =
        Sql.in(tables, connection, "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit")
            .first(row -> row.getString(1))
            .orElse("1");
    if (!"1".equals(flushed)) {
      throw refused(
          "the server has innodb_flush_log_at_trx_commit = "
              + flushed
              + ", so a crash forgets commits: a relay would have published what the database does"
              + " not know, and positions would be given out again. Set it to 1");
    }
  }

  /**
   * Checks that positions can be read out of JSON, as a relay does from the first one on that stays
   * open: early versions of MySQL 8.0 ask for a right on all databases there.
   *
   * @throws ConfigurationException {@code OUT-020} with what to grant
   */
  static void checkRanges(Connection connection, Tables tables) throws SQLException {
    try {
      Sql.in(tables, connection, RANGES).number();
    } catch (SQLException e) {
      if (tables.errors().classOf(e) != ErrorClass.RIGHT_MISSING) {
        throw e;
      }
      throw refused(
          "this early version of MySQL asks for SELECT on all databases of whoever uses JSON_TABLE,"
              + " without which a relay would stand still at the first position that stays open:"
              + " GRANT SELECT ON *.* TO its user, or use a later version");
    }
  }

  private static ConfigurationException refused(String text) {
    return new ConfigurationException(ErrorCode.UNSUPPORTED_DATABASE, text);
  }
}
