// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.HeaderText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a mover does with the messages that wait, with the texts of one database. Thread-safe. */
public final class DueMessagesBySql implements DueMessages {

  private static final byte[] NONE = new byte[0];
  private static final String NO_UUID = "22018"; // as of UuidsInBytes

  // All of the messages: ranges of outledger_scheduled_due. The sub-select has the clock read once:
  // a time that may change from row to row is no bound of a range, so that all rows were looked at.
  private static final String NEXT =
      """
      SELECT s.due_at, %s FROM {schema}.outledger_scheduled s
       ORDER BY s.due_at, s.number LIMIT 1\
      """;
  private static final String DUE =
      """
      SELECT s.number, s.id, s.message_key,
             {octet_length}(s.payload) + COALESCE(LENGTH(s.headers), 0)
        FROM {schema}.outledger_scheduled s
       WHERE s.due_at <= (SELECT %s)%s
       ORDER BY s.due_at, s.number LIMIT ?\
      """;
  private static final String WITHOUT = " AND (s.message_key IS NULL OR s.message_key NOT IN (%s))";

  // Both: the primary key.
  private static final String LOCK =
      """
      SELECT s.number, s.id, s.version, s.topic, s.message_key, s.type, s.payload, s.headers, %s
        FROM {schema}.outledger_scheduled s
       WHERE s.number IN (%s)\
      """;
  private static final String REMOVE =
      "DELETE FROM {schema}.outledger_scheduled WHERE number IN (%s)";

  // Its one row is made by the first mover.
  private static final String TAKE =
      """
      UPDATE {schema}.outledger_mover SET holder = ?, lease_until = %s
       WHERE holder = ? OR lease_until <= %s OR (holder = ? AND lease_until = ?)\
      """;
  private static final String IS_THERE = "SELECT COUNT(*) FROM {schema}.outledger_mover";
  private static final String MAKE =
      "INSERT INTO {schema}.outledger_mover (one, holder, lease_until) VALUES (TRUE, ?, %s)";
  private static final String SEEN =
      "SELECT m.holder, m.lease_until FROM {schema}.outledger_mover m";
  private static final String HAS =
      "SELECT COUNT(*) FROM {schema}.outledger_mover WHERE holder = ? AND lease_until > %s";
  private static final String GIVE_BACK =
      "UPDATE {schema}.outledger_mover SET lease_until = ? WHERE holder = ?";

  /** Over by every clock, also by one that is set back. */
  private static final Instant LONG_AGO = Instant.parse("2000-01-01T00:00:00Z");

  private final LedgerTables tables;
  private final String next;
  private final String now;
  private final String skipLocked;
  private final String take;
  private final String make;
  private final String has;

  /**
   * Creates it, without I/O.
   *
   * @param skipLocked what follows a query whose rows are to be locked, where those that others
   *     have locked are left out
   * @param ifNew as for {@link ScheduledBySql}
   */
  public DueMessagesBySql(LedgerTables tables, String skipLocked, String ifNew) {
    this.tables = tables;
    this.now = tables.sql().now();
    this.skipLocked = skipLocked;
    String later = tables.sql().later();
    this.next = NEXT.formatted(now);
    this.take = TAKE.formatted(later, now);
    this.make = MAKE.formatted(later) + ifNew;
    this.has = HAS.formatted(now);
  }

  @Override
  public Optional<Duration> untilNext(Connection transaction) throws SQLException {
    return Sql.in(tables, transaction, next)
        .first(row -> Duration.between(tables.values().time(row, 2), tables.values().time(row, 1)));
  }

  @Override
  public boolean takeLease(
      Connection transaction, UUID mover, Duration length, @Nullable Lease over)
      throws SQLException {
    long millis = length.toMillis();
    Lease ended = over == null ? new Lease(mover, LONG_AGO) : over;
    int taken =
        Sql.in(tables, transaction, take, mover, millis, mover, ended.holder(), ended.until())
            .update();
    if (taken > 0) {
      return true;
    }
    return Sql.in(tables, transaction, IS_THERE).number() == 0
        && isMade(transaction, mover, millis);
  }

  @Override
  public Optional<Lease> lease(Connection transaction) throws SQLException {
    return Sql.in(tables, transaction, SEEN)
        .first(row -> new Lease(tables.values().uuid(row, 1), tables.values().time(row, 2)));
  }

  private boolean isMade(Connection transaction, UUID mover, long millis) throws SQLException {
    try {
      return Sql.in(tables, transaction, make, mover, millis).update() > 0;
    } catch (SQLException e) {
      if (tables.errors().classOf(e) == ErrorClass.DUPLICATE_KEY) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public boolean hasLease(Connection transaction, UUID mover) throws SQLException {
    return Sql.in(tables, transaction, has, mover).number() > 0;
  }

  @Override
  public void giveLeaseBack(Connection transaction, UUID mover) throws SQLException {
    Sql.in(tables, transaction, GIVE_BACK, LONG_AGO, mover).update();
  }

  @Override
  public List<Due> due(Connection transaction, int rows, Set<String> without) throws SQLException {
    List<Object> values = new ArrayList<>(without);
    values.add(rows);
    String others = without.isEmpty() ? "" : WITHOUT.formatted(places(without.size()));
    return Sql.in(tables, transaction, DUE.formatted(now, others), values.toArray())
        .rows(row -> new Due(new Row(row.getLong(1), id(row)), row.getString(3), row.getLong(4)));
  }

  private @Nullable UUID id(ResultSet row) throws SQLException {
    try {
      return tables.values().readUuid(row, 2);
    } catch (SQLException e) {
      if (NO_UUID.equals(e.getSQLState())) {
        return null; // it is told once the message is read
      }
      throw e;
    }
  }

  @Override
  public Locked lock(Connection transaction, List<Due> wanted) throws SQLException {
    Map<Long, Message> messages = new HashMap<>();
    Map<Long, String> unreadable = new HashMap<>();
    String text = LOCK.formatted(now, places(wanted.size())) + skipLocked;
    Sql.in(tables, transaction, text, wanted.stream().map(Due::number).toArray())
        .read(
            row -> {
              try {
                messages.put(row.getLong(1), message(row));
              } catch (IllegalArgumentException | InvalidMessageException e) {
                unreadable.put(row.getLong(1), String.valueOf(e.getMessage()));
              }
              return true;
            });
    return new Locked(messages, unreadable);
  }

  private Message message(ResultSet row) throws SQLException {
    byte[] payload = row.getBytes(7);
    return new Message(
        tables.values().uuid(row, 2),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getInt(3),
        payload == null ? NONE : payload,
        HeaderText.decode(row.getString(8)),
        tables.values().time(row, 9));
  }

  @Override
  public int remove(Connection transaction, List<Long> numbers) throws SQLException {
    return Sql.in(tables, transaction, REMOVE.formatted(places(numbers.size())), numbers.toArray())
        .update();
  }

  private static String places(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }
}
