// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.jdbc.admin.LedgerEntry;
import io.outledger.jdbc.admin.LedgerState;
import io.outledger.jdbc.admin.LedgerState.Point;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.jdbc.spi.AdminSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The ledger: its ends, its messages, and where in it a time or an id is. */
final class Ledger {

  // One step along the primary key, each.
  private static final String OLDEST =
      """
      SELECT m.position, m.time FROM {schema}.outledger_message m ORDER BY m.position LIMIT 1\
      """;
  private static final String NEWEST =
      """
      SELECT m.position, m.time FROM {schema}.outledger_message m
       ORDER BY m.position DESC LIMIT 1\
      """;

  // The first message's row, after one step along the primary key.
  private static final String INSERTED =
      """
      SELECT %s, {now} FROM {schema}.outledger_message m ORDER BY m.position LIMIT 1\
      """;
  private static final String FROM =
      """
      SELECT m.position, m.time, m.id FROM {schema}.outledger_message m
       WHERE m.position >= ? ORDER BY m.position LIMIT 1\
      """;

  // A range of the primary key.
  private static final String WITH_ID =
      """
      SELECT m.position FROM {schema}.outledger_message m
       WHERE m.position BETWEEN ? AND ? AND m.id = ?\
      """;

  private static final String PURGED_TO =
      "SELECT MAX(r.purged_to) FROM {schema}.outledger_retention r";
  private static final String READER =
      "SELECT COUNT(*) FROM (SELECT 1 AS found FROM {schema}.outledger_subscription s LIMIT 1) s";

  private static final int ID_VERSION_WITH_TIME = 7;

  private final AdminReads reads;
  private final AdminSql sql;

  Ledger(AdminReads reads) {
    this.reads = reads;
    this.sql = reads.sql();
  }

  /** Positions, from the first to the last. */
  record Window(long from, long to) {

    static final Window EMPTY = new Window(1, 0);

    boolean isEmpty() {
      return from > to;
    }
  }

  LedgerState state(Connection connection) throws SQLException {
    return new LedgerState(
        end(connection, OLDEST),
        end(connection, NEWEST),
        age(connection),
        Query.of(reads, sql.lastNumber()).number(connection),
        purgedTo(connection),
        Query.of(reads, sql.ledgerBytes()).number(connection),
        Query.of(reads, reads.in(READER)).number(connection) == 0);
  }

  private Duration age(Connection connection) throws SQLException {
    return Query.of(reads, reads.in(INSERTED.formatted(sql.appended())))
        .first(
            connection,
            row -> Duration.between(reads.values().time(row, 1), reads.values().time(row, 2)))
        .filter(age -> !age.isNegative())
        .orElse(Duration.ZERO);
  }

  private @Nullable Point end(Connection connection, String text) throws SQLException {
    return Query.of(reads, reads.in(text))
        .first(connection, row -> new Point(row.getLong(1), reads.values().time(row, 2)))
        .orElse(null);
  }

  long purgedTo(Connection connection) throws SQLException {
    return Query.of(reads, reads.in(PURGED_TO)).number(connection);
  }

  long lastNumber(Connection connection) throws SQLException {
    return Query.of(reads, sql.lastNumber()).number(connection);
  }

  /** Returns the positions between the first and the last message that are visible. */
  Window all(Connection connection) throws SQLException {
    Point oldest = end(connection, OLDEST);
    Point newest = end(connection, NEWEST);
    return oldest == null || newest == null
        ? Window.EMPTY
        : new Window(oldest.position(), newest.position());
  }

  /** Returns the message at a position, without its payload. */
  Optional<LedgerEntry> at(Connection connection, long position, int payloadBytes)
      throws SQLException {
    return select(payloadBytes)
        .and(" WHERE m.position = ?", position)
        .first(connection, row -> entry(row, payloadBytes, new PageBytes()));
  }

  /** Returns the beginning of a query for {@link #entry}, of the ledger by the name of m. */
  Query select(int payloadBytes) {
    String table = reads.in(" FROM {schema}.outledger_message m");
    String columns = "SELECT m.position, m.id, m.erased, ";
    return payloadBytes == 0
        ? Query.of(reads, columns + MessageColumns.of("m", null) + table)
        : Query.of(reads, columns + MessageColumns.of("m", sql.payloadCut()) + table, payloadBytes);
  }

  LedgerEntry entry(ResultSet row, int payloadBytes, PageBytes bytes) throws SQLException {
    String id = reads.values().uuid(row, 2).toString();
    MessageColumns.Identity identity = new MessageColumns.Identity(id, "", "");
    return new LedgerEntry(
        row.getLong(1),
        MessageColumns.read(
            new MessageColumns.Place(reads.values(), row, 4), identity, payloadBytes, bytes),
        row.getBoolean(3));
  }

  /** Returns the position of a message among those of a window; empty where it is not there. */
  Optional<Long> find(Connection connection, Window window, UUID id) throws SQLException {
    return window.isEmpty()
        ? Optional.empty()
        : Query.of(reads, reads.in(WITH_ID), window.from(), window.to(), id)
            .first(connection, row -> row.getLong(1));
  }

  /** Returns when an id was made; null where it does not tell. */
  static @Nullable Instant timeOf(UUID id) {
    return id.version() == ID_VERSION_WITH_TIME
        ? Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16)
        : null;
  }

  /** What bisecting compares with a time. */
  interface Clock {
    Instant of(Instant time, UUID id);
  }

  /** Compares when messages were created, as they say. */
  static final Clock BY_TIME = (time, id) -> time;

  /** Compares when their ids were made; one that was scheduled has entered later than that. */
  static final Clock BY_ID =
      (time, id) -> {
        Instant made = timeOf(id);
        return made == null || made.isBefore(time) ? time : made;
      };

  /**
   * Returns about the first position of a time: where messages commit in another order than they
   * were made, others of that time are near. Takes as many steps along the primary key as the
   * number of positions has bits.
   *
   * @param window where to look
   */
  long positionOf(Connection connection, Window window, Instant wanted, Clock clock)
      throws SQLException {
    long low = window.from();
    long high = window.to() + 1;
    String probe = reads.in(FROM);
    while (low < high) {
      long middle = low + (high - low) / 2;
      Probe found =
          Query.of(reads, probe, middle)
              .first(
                  connection,
                  row ->
                      new Probe(
                          row.getLong(1),
                          clock.of(reads.values().time(row, 2), reads.values().uuid(row, 3))))
              .orElse(null);
      if (found == null || !found.time().isBefore(wanted)) {
        high = middle;
      } else {
        low = found.position() + 1;
      }
    }
    return low;
  }

  private record Probe(long position, Instant time) {}
}
