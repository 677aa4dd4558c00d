// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.MissingRow;
import io.outledger.store.KnownMessage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells how far the ledger's numbers and its retention have gone, and whether it is still the
 * ledger that a cursor has read. A ledger that was emptied and renumbered looks like one whose
 * numbers stand below, or in which the message that the cursor knows is gone though retention has
 * not removed it. Each answer is one step along a primary key. Thread-safe.
 */
public final class Ledger {

  private static final String FIRST = "SELECT MIN(m.position) FROM {schema}.outledger_message m";
  private static final String HIGHEST = "SELECT MAX(m.position) FROM {schema}.outledger_message m";
  private static final String PURGED_TO = "SELECT r.purged_to FROM {schema}.outledger_retention r";
  private static final String SET = "UPDATE {schema}.outledger_retention SET purged_to = ?";
  private static final String AT =
      "SELECT m.position FROM {schema}.outledger_message m WHERE m.position = ? AND m.id = ?";
  private static final String OTHER_AT =
      "SELECT m.position FROM {schema}.outledger_message m WHERE m.position = ? AND m.id <> ?";
  private static final String AT_OR_BELOW =
      """
      SELECT m.position, m.id FROM {schema}.outledger_message m
       WHERE m.position <= ? ORDER BY m.position DESC LIMIT 1\
      """;
  private static final String ABOVE =
      """
      SELECT m.position, m.id FROM {schema}.outledger_message m
       WHERE m.position > ? ORDER BY m.position LIMIT 1\
      """;

  private final LedgerTables tables;

  /** Creates it, without I/O. */
  public Ledger(LedgerTables tables) {
    this.tables = tables;
  }

  /** Returns the last number that was drawn. */
  public long lastNumber(Connection connection) throws SQLException {
    return Sql.in(tables, connection, tables.in(tables.sql().lastNumber())).number();
  }

  /** Returns the highest position at which a message is visible; 0 where there is none. */
  public long highest(Connection connection) throws SQLException {
    return Sql.in(tables, connection, HIGHEST).number();
  }

  /** Returns the lowest position at which a message is visible; 0 where there is none. */
  public long first(Connection connection) throws SQLException {
    return Sql.in(tables, connection, FIRST).number();
  }

  /** Returns how far retention has gone, in whatever ledger that was. */
  public long purgedTo(Connection connection) throws SQLException {
    return Sql.in(tables, connection, PURGED_TO).number();
  }

  /**
   * Returns how far retention has gone in the ledger that is there: 0 where the ledger shows that
   * it was emptied and renumbered since.
   */
  public long purgedInThisLedger(Connection connection) throws SQLException {
    long purgedTo = purgedTo(connection);
    long first = first(connection);
    boolean isOfAnother = purgedTo > lastNumber(connection) || (first > 0 && purgedTo >= first);
    return isOfAnother ? 0 : purgedTo;
  }

  /**
   * Locks the retention's row until the transaction ends, so that nobody else purges or is placed
   * meanwhile, and forgets how far retention had gone in a ledger that was renumbered since.
   */
  public void lockRetention(Connection connection) throws SQLException {
    long purgedTo =
        Sql.in(tables, connection, tables.in(PURGED_TO + tables.sql().forUpdate()))
            .first(row -> row.getLong(1))
            .orElseThrow(() -> MissingRow.of("outledger_retention"));
    if (purgedTo > lastNumber(connection)) {
      Sql.in(tables, connection, SET, 0L).update();
    }
  }

  /** Remembers how far retention has gone. */
  public void purged(Connection connection, long to) throws SQLException {
    if (to > purgedTo(connection)) {
      Sql.in(tables, connection, SET, to).update();
    }
  }

  /** Returns whether this is not the ledger that somebody has read up to a position. */
  public boolean isReset(Connection connection, long high, @Nullable KnownMessage known)
      throws SQLException {
    return Math.max(high, known == null ? 0 : known.position()) > lastNumber(connection)
        || isGone(connection, known);
  }

  /**
   * Returns whether this is certainly not the ledger that somebody has read up to a position: its
   * numbers stand below, or another message has the position of the one that is known. Not where
   * that one is merely gone: somebody may have deleted it.
   */
  public boolean isAnother(Connection connection, long high, @Nullable KnownMessage known)
      throws SQLException {
    return high > lastNumber(connection)
        || (known != null
            && Sql.in(tables, connection, OTHER_AT, known.position(), known.id()).number() > 0);
  }

  /**
   * Returns whether a message is gone and was not removed by retention. Looks for the message
   * first: a purge that removes it meanwhile is seen by what is read second.
   */
  public boolean isGone(Connection connection, @Nullable KnownMessage known) throws SQLException {
    return known != null
        && Sql.in(tables, connection, AT, known.position(), known.id()).number() == 0
        && known.position() > purgedInThisLedger(connection);
  }

  /**
   * Returns the message by which a cursor that is placed at a position knows the ledger. Where no
   * message is visible, the last position that was purged serves: none can appear there again.
   */
  public @Nullable KnownMessage beside(Connection connection, long high) throws SQLException {
    Optional<KnownMessage> found =
        Sql.in(tables, connection, AT_OR_BELOW, high).first(row -> message(row, 1));
    if (found.isEmpty()) {
      found = Sql.in(tables, connection, ABOVE, high).first(row -> message(row, 1));
    }
    if (found.isPresent()) {
      return found.get();
    }
    long purgedTo = purgedTo(connection);
    return purgedTo >= 1 && purgedTo <= lastNumber(connection)
        ? new KnownMessage(purgedTo, KnownMessage.PURGED)
        : null;
  }

  private KnownMessage message(ResultSet row, int at) throws SQLException {
    return new KnownMessage(row.getLong(at), tables.values().uuid(row, at + 1));
  }

  /** Reads position and id; null where the cursor knows none. */
  public @Nullable KnownMessage known(ResultSet row, int at) throws SQLException {
    return row.getObject(at + 1) == null ? null : message(row, at);
  }
}
