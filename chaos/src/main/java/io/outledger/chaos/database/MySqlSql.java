// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.database;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.jdbc.sql.RangesText;
import io.outledger.servers.InnoDbServer;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** MariaDB's and MySQL's. */
final class MySqlSql implements ShopSql {

  private static final int UUID_BYTES = 16;

  /** How far back from the newest message effects are looked for: MySQL looks at each by itself. */
  private static final int NEWEST = 2_000;

  private static final int OPEN = 7;

  /** As text, for a select or a trigger: the incarnation as relays say it. */
  private static final String INCARNATION =
      """
      LOWER(CONCAT_WS('-', SUBSTR(HEX(%1$s), 1, 8), SUBSTR(HEX(%1$s), 9, 4),
        SUBSTR(HEX(%1$s), 13, 4), SUBSTR(HEX(%1$s), 17, 4), SUBSTR(HEX(%1$s), 21)))\
      """;

  /** Holes of the subscription as JSON, as open ranges are in the cursor. By primary key. */
  private static final String HOLES =
      """
      (SELECT COALESCE(CONCAT('[', GROUP_CONCAT('[', first_position, ',', last_position, ']'
                                                ORDER BY first_position), ']'), '[]')
         FROM outledger_hole WHERE subscription = '%s')\
      """
          .formatted(SUBSCRIPTION);

  // The newest row, by primary key.
  private static final String CURSOR =
      """
      SELECT 0, %s, FALSE, 0, high, lease_until IS NULL, open_ranges, %s
        FROM outledger_cursor WHERE subscription = '%s'
       ORDER BY partition_no DESC, n DESC LIMIT 1\
      """
          .formatted(INCARNATION.formatted("incarnation"), HOLES, SUBSCRIPTION);

  @Override
  public List<String> tables() {
    List<String> all = new ArrayList<>();
    all.add(
        "CREATE TABLE account (name VARCHAR(100) PRIMARY KEY, counter BIGINT NOT NULL DEFAULT 0)");
    for (int n = 1; n <= ACCOUNTS; n++) {
      all.add("INSERT INTO account (name) VALUES ('a" + n + "')");
    }
    for (int n = 1; n <= REFUSED; n++) {
      all.add("INSERT INTO account (name) VALUES ('r" + n + "')");
    }
    // Deliberately without a key: a second effect must be visible, not refused.
    all.add(
        """
        CREATE TABLE effect (consumer VARCHAR(100) NOT NULL, message_id BINARY(16) NOT NULL,
          KEY effect_message (message_id))\
        """);
    audit(all);
    all.add("CREATE TABLE purged (id BINARY(16) NOT NULL, position BIGINT NOT NULL)");
    all.add(
        """
        CREATE TRIGGER purged AFTER DELETE ON outledger_message FOR EACH ROW
          INSERT INTO purged VALUES (OLD.id, OLD.position)\
        """);
    dead(all);
    return all;
  }

  private static void audit(List<String> all) {
    all.add(
        """
        CREATE TABLE audit (
          n BIGINT PRIMARY KEY, incarnation VARCHAR(36), taken BOOLEAN, at_ms BIGINT, high BIGINT,
          released BOOLEAN, open_ranges LONGTEXT, holes LONGTEXT)\
        """);
    // By the clock as it is now, not when the statement began.
    all.add(
        """
        CREATE TRIGGER audit AFTER INSERT ON outledger_cursor FOR EACH ROW
          IF NEW.subscription = '%s' THEN
            INSERT INTO audit VALUES (
              NEW.n, %s, NEW.taken, FLOOR(UNIX_TIMESTAMP(SYSDATE(6)) * 1000), NEW.high,
              NEW.lease_until IS NULL, NEW.open_ranges, IF(NEW.taken, %s, '[]'));
          END IF\
        """
            .formatted(SUBSCRIPTION, INCARNATION.formatted("NEW.incarnation"), HOLES));
  }

  private static void dead(List<String> all) {
    all.add(
        "CREATE TABLE dead (id BINARY(16) NOT NULL, position BIGINT NOT NULL, KEY dead_id (id))");
    for (String event : List.of("INSERT", "UPDATE")) {
      all.add(
          """
          CREATE TRIGGER dead_%1$s AFTER %1$s ON outledger_parked FOR EACH ROW
            IF NEW.state = 'dead' THEN INSERT INTO dead VALUES (NEW.id, NEW.position); END IF\
          """
              .formatted(event));
    }
  }

  @Override
  public long count(Connection connection, String key, int more) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE account SET counter = counter + ? WHERE name = ?")) {
      update.setInt(1, more);
      update.setString(2, key);
      update.executeUpdate();
    }
    return number(connection, "SELECT counter FROM account WHERE name = ?", key);
  }

  @Override
  public Object value(UUID id) {
    return ByteBuffer.allocate(UUID_BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  @Override
  public UUID id(ResultSet row, int column) throws SQLException {
    ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(column));
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  @Override
  public Instant time(ResultSet row, int column) throws SQLException {
    return InnoDbServer.utc(row, column);
  }

  /** Several statements, and one snapshot. */
  @Override
  public ShopState state(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    ShopState state = look(connection);
    connection.rollback();
    connection.setAutoCommit(true);
    return state;
  }

  private ShopState look(Connection connection) throws SQLException {
    String owner = "";
    Frontier frontier = Frontier.START;
    try (PreparedStatement select = connection.prepareStatement(CURSOR);
        ResultSet row = select.executeQuery()) {
      if (row.next()) {
        owner = row.getBoolean(6) ? "" : row.getString(2);
        frontier = frontier(row);
      }
    }
    Positions open = frontier.open();
    long below = visible(connection, open);
    long high = frontier.high();
    long parked =
        number(
            connection,
            "SELECT count(*) FROM outledger_parked WHERE subscription = ? AND state <> 'dead'",
            SUBSCRIPTION);
    return new ShopState(
        owner,
        number(connection, "SELECT count(*) FROM outledger_message WHERE position > ?", high)
            + below,
        open.ranges() + parked,
        Math.max(0, withoutEffect(connection, high) - below),
        number(
            connection,
            "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_rows_modified > 0"),
        high,
        high - open.size(),
        frontier.lowest());
  }

  /** Counts the messages in these ranges, by primary key: a range of it for each. */
  private static long visible(Connection connection, Positions open) throws SQLException {
    if (open.isEmpty()) {
      return 0;
    }
    List<Object> bounds = new ArrayList<>();
    for (int i = 0; i < open.firsts().length; i++) {
      bounds.add(open.firsts()[i]);
      bounds.add(open.lasts()[i]);
    }
    String ranges = " OR position BETWEEN ? AND ?".repeat(open.firsts().length).substring(4);
    return number(
        connection, "SELECT count(*) FROM outledger_message WHERE " + ranges, bounds.toArray());
  }

  /** The newest part of the ledger by its primary key, the others by their index on the id. */
  private static long withoutEffect(Connection connection, long high) throws SQLException {
    return number(
        connection,
        """
        SELECT count(*) FROM outledger_message m WHERE m.position > ? AND m.position <= ?
           AND NOT EXISTS (SELECT 1 FROM dead d WHERE d.id = m.id)
           AND NOT EXISTS (SELECT 1 FROM effect e WHERE e.message_id = m.id)\
        """,
        high - NEWEST,
        high);
  }

  private static long number(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        select.setObject(i + 1, values[i]);
      }
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  @Override
  public String oldInboxRecords() {
    return """
    INSERT INTO outledger_inbox (processed_minute, consumer_no, message_hash, proof)
    SELECT (UNIX_TIMESTAMP() - 30 * 86400) DIV 60, 0, UNHEX(MD5(RAND())), UNHEX(MD5(RAND()))
      FROM outledger_key_lock a, outledger_gate b\
    """;
  }

  @Override
  public String owners() {
    return """
    SELECT n, incarnation, taken, at_ms, high, released, open_ranges, holes FROM audit ORDER BY n\
    """;
  }

  @Override
  public String cursor() {
    return CURSOR;
  }

  @Override
  public Frontier frontier(ResultSet row) throws SQLException {
    Positions open = RangesText.read(row.getString(OPEN));
    return new Frontier(row.getLong(5), open.union(RangesText.read(row.getString(OPEN + 1))));
  }
}
