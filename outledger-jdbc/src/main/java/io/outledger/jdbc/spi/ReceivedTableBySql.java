// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Given;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.ParkedReceipt;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.receive.ParkedFailure;
import io.outledger.receive.ParkedReceived;
import io.outledger.store.ParkedState;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages that consumers have parked, where all databases do the same with texts of their own.
 * How messages are admitted, and how requests are noted and carried out, is each database's own
 * story. Thread-safe.
 */
public abstract class ReceivedTableBySql implements ReceivedTable {

  /** From here on a payload is a large object to some databases. */
  private static final int BINARY_MAX = 1 << 20;

  private final ReceivedSql sql;

  /**
   * Makes it.
   *
   * @param sql the database's texts, with the names of its tables in them
   */
  protected ReceivedTableBySql(ReceivedSql sql) {
    this.sql = Given.check("sql", sql);
  }

  @Override
  public final int count(Connection transaction, String consumer, int limit) throws SQLException {
    return number(transaction, sql.count(), consumer, limit);
  }

  @Override
  public final int park(
      Connection transaction, String consumer, List<Received> batch, ParkedFailure failure)
      throws SQLException {
    try (PreparedStatement statement = transaction.prepareStatement(sql.park())) {
      for (Received message : batch) {
        bind(statement, parked(consumer, message, failure));
        statement.addBatch();
      }
      return Arrays.stream(statement.executeBatch()).filter(count -> count > 0).sum();
    }
  }

  private static @Nullable Object[] parked(
      String consumer, Received message, ParkedFailure failure) {
    Instant time = message.time();
    return new @Nullable Object[] {
      consumer,
      message.inboxId().source(),
      message.inboxId().id(),
      ParkedRow.state(failure.state()),
      failure.blocks() && message.key() != null,
      failure.attempts(),
      failure.delay().toMillis(),
      failure.reason(),
      message.origin(),
      message.topic(),
      message.keySpace(),
      message.key(),
      message.type(),
      message.version(),
      message.payload(),
      HeaderText.encode(message.headers()),
      time == null ? null : time.atOffset(ZoneOffset.UTC)
    };
  }

  @Override
  public final List<ParkedReceived> due(Connection transaction, String consumer, int limit)
      throws SQLException {
    return rows(transaction, sql.due(), ParkedRow::light, consumer, limit);
  }

  @Override
  public final Optional<ParkedReceived> next(
      Connection transaction, String consumer, ParkedReceived after) throws SQLException {
    return rows(
            transaction,
            sql.next(),
            ParkedRow::light,
            after.key(),
            consumer,
            after.keySpace(),
            after.number())
        .stream()
        .findFirst();
  }

  @Override
  public final Optional<Received> lock(
      Connection transaction, String consumer, ParkedReceived parked) throws SQLException {
    return rows(
            transaction,
            sql.lock(),
            ParkedRow::message,
            consumer,
            parked.number(),
            parked.attempts())
        .stream()
        .findFirst();
  }

  @Override
  public final boolean isFirst(Connection transaction, String consumer, ParkedReceived parked)
      throws SQLException {
    return number(transaction, sql.isFirst(), consumer, parked.number()) > 0;
  }

  @Override
  public final void remove(Connection transaction, String consumer, long number)
      throws SQLException {
    update(transaction, sql.remove(), consumer, number);
  }

  @Override
  public final void fail(
      Connection transaction, String consumer, ParkedReceived parked, ParkedFailure failure)
      throws SQLException {
    update(
        transaction,
        sql.fail(),
        ParkedRow.state(failure.state()),
        failure.blocks(),
        failure.attempts(),
        failure.reason(),
        failure.delay().toMillis(),
        consumer,
        parked.number(),
        parked.attempts());
  }

  @Override
  public final List<ParkedReceived> toDiscard(Connection transaction, String consumer, int limit)
      throws SQLException {
    return requested(transaction, consumer, ParkedRequest.DISCARD, limit);
  }

  /**
   * Locks and returns messages of which something was requested, but for those locked by others.
   */
  protected final List<ParkedReceived> requested(
      Connection transaction, String consumer, ParkedRequest request, int limit)
      throws SQLException {
    return rows(transaction, sql.requested(), ParkedRow::light, consumer, request.stored(), limit);
  }

  @Override
  public final List<ParkedReceipt> list(
      Connection transaction, String consumer, ParkedSelection selection, Page page)
      throws SQLException {
    return rows(
        transaction, sql.list(), ParkedRow::receipt, filters(selection, page, consumer).toArray());
  }

  @Override
  public final Set<String> consumers(Connection transaction) throws SQLException {
    return Set.copyOf(rows(transaction, sql.consumers(), row -> row.getString(1)));
  }

  /**
   * Returns the parameters of a text that filters: those given first, then number above, number up
   * to, state, type, topic, key, part of the error, and limit.
   */
  protected static List<@Nullable Object> filters(
      ParkedSelection selection, Page page, Object... first) {
    ParkedState state = selection.state();
    List<@Nullable Object> values = new ArrayList<>(Arrays.asList(first));
    values.add(page.above());
    values.add(page.last());
    values.add(state == null ? null : ParkedRow.state(state));
    values.add(selection.type());
    values.add(selection.topic());
    values.add(selection.key());
    values.add(selection.errorText());
    values.add(page.limit());
    return values;
  }

  /**
   * What a row becomes.
   *
   * @param <T> that
   */
  @FunctionalInterface
  protected interface Row<T> {

    /** Reads it. */
    T read(ResultSet row) throws SQLException;
  }

  /** Executes a query, and returns its rows. */
  protected static <T> List<T> rows(
      Connection connection, String text, Row<T> row, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      bind(statement, values);
      List<T> all = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          all.add(row.read(rows));
        }
      }
      return all;
    }
  }

  private static int number(Connection connection, String text, @Nullable Object... values)
      throws SQLException {
    return rows(connection, text, row -> row.getInt(1), values).get(0);
  }

  /** Executes a statement, and returns how many rows it has changed. */
  protected static int update(Connection connection, String text, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  private static void bind(PreparedStatement statement, @Nullable Object... values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof byte[] bytes && bytes.length > BINARY_MAX) {
        statement.setBinaryStream(i + 1, new ByteArrayInputStream(bytes), bytes.length);
      } else {
        statement.setObject(i + 1, values[i]);
      }
    }
  }
}
