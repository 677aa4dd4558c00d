// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.Message;
import io.outledger.jdbc.spi.DueMessages;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.HeaderText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** What a mover does with the messages that wait, with the texts of one database. Thread-safe. */
public final class DueMessagesBySql implements DueMessages {

  private static final byte[] NONE = new byte[0];

  // All of the messages: ranges of outledger_scheduled_due.
  private static final String NEXT =
      """
      SELECT s.due_at, %s FROM {schema}.outledger_scheduled s
       ORDER BY s.due_at, s.number LIMIT 1\
      """;
  private static final String DUE =
      """
      SELECT s.number, s.due_at, s.message_key,
             {octet_length}(s.payload) + COALESCE(LENGTH(s.headers), 0)
        FROM {schema}.outledger_scheduled s
       WHERE s.due_at <= %s
       ORDER BY s.due_at, s.number LIMIT ?\
      """;
  private static final String LOCK =
      """
      SELECT s.number, s.id, s.version, s.topic, s.message_key, s.type, s.payload, s.headers, %s
        FROM {schema}.outledger_scheduled s
       WHERE s.due_at >= ? AND s.due_at <= ?
         AND (s.due_at > ? OR s.number >= ?) AND (s.due_at < ? OR s.number <= ?)
       ORDER BY s.due_at, s.number\
      """;

  // The primary key.
  private static final String REMOVE =
      "DELETE FROM {schema}.outledger_scheduled WHERE number IN (%s)";

  // Its one row is made by the first mover.
  private static final String TAKE =
      """
      UPDATE {schema}.outledger_mover SET holder = ?, lease_until = %s
       WHERE holder = ? OR lease_until <= %s\
      """;
  private static final String IS_THERE = "SELECT COUNT(*) FROM {schema}.outledger_mover";
  private static final String MAKE =
      "INSERT INTO {schema}.outledger_mover (one, holder, lease_until) VALUES (TRUE, ?, %s)";
  private static final String HAS =
      "SELECT COUNT(*) FROM {schema}.outledger_mover WHERE holder = ? AND lease_until > %s";
  private static final String GIVE_BACK =
      "UPDATE {schema}.outledger_mover SET lease_until = %s WHERE holder = ?";

  private final LedgerTables tables;
  private final String next;
  private final String due;
  private final String lock;
  private final String take;
  private final String make;
  private final String has;
  private final String giveBack;

  /**
   * Creates it, without I/O.
   *
   * @param skipLocked what follows a query whose rows are to be locked, where those that others
   *     have locked are left out
   * @param ifNew as for {@link ScheduledBySql}
   */
  public DueMessagesBySql(LedgerTables tables, String skipLocked, String ifNew) {
    this.tables = tables;
    String now = tables.sql().now();
    String later = tables.sql().later();
    this.next = NEXT.formatted(now);
    this.due = DUE.formatted(now);
    this.lock = LOCK.formatted(now) + skipLocked;
    this.take = TAKE.formatted(later, now);
    this.make = MAKE.formatted(later) + ifNew;
    this.has = HAS.formatted(now);
    this.giveBack = GIVE_BACK.formatted(now);
  }

  @Override
  public Optional<Duration> untilNext(Connection transaction) throws SQLException {
    return Sql.in(tables, transaction, next)
        .first(row -> Duration.between(tables.values().time(row, 2), tables.values().time(row, 1)));
  }

  @Override
  public boolean takeLease(Connection transaction, UUID mover, Duration length)
      throws SQLException {
    long millis = length.toMillis();
    if (Sql.in(tables, transaction, take, mover, millis, mover).update() > 0) {
      return true;
    }
    return Sql.in(tables, transaction, IS_THERE).number() == 0
        && isMade(transaction, mover, millis);
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
    Sql.in(tables, transaction, giveBack, mover).update();
  }

  @Override
  public List<Due> due(Connection transaction, int rows) throws SQLException {
    return Sql.in(tables, transaction, due, rows)
        .rows(
            row ->
                new Due(
                    row.getLong(1),
                    tables.values().time(row, 2),
                    row.getString(3),
                    row.getLong(4)));
  }

  @Override
  public Map<Long, Message> lock(Connection transaction, List<Due> wanted) throws SQLException {
    Due first = wanted.get(0);
    Due last = wanted.get(wanted.size() - 1);
    Set<Long> numbers = wanted.stream().map(Due::number).collect(Collectors.toSet());
    Map<Long, Message> locked = new LinkedHashMap<>();
    Sql.in(
            tables,
            transaction,
            lock,
            first.dueAt(),
            last.dueAt(),
            first.dueAt(),
            first.number(),
            last.dueAt(),
            last.number())
        .read(
            row -> {
              long number = row.getLong(1);
              if (numbers.contains(number)) {
                locked.put(number, message(row));
              }
              return true;
            });
    return locked;
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
    String places = String.join(", ", Collections.nCopies(numbers.size(), "?"));
    return Sql.in(tables, transaction, REMOVE.formatted(places), numbers.toArray()).update();
  }
}
