// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.receive.ParkedReceived;
import io.outledger.store.ParkedFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The messages that consumers have parked, where all databases do the same with texts of their own.
 * How messages are admitted, and how requests are noted and carried out, is each database's own
 * story. Thread-safe.
 */
public abstract class ReceivedTableBySql implements ReceivedTable {

  private final SqlNaming naming;
  private final ReceivedSql sql;
  private final ReceivedAttempts attempts;

  /**
   * Makes it.
   *
   * @param sql the database's texts
   * @param naming the words of its schema
   */
  protected ReceivedTableBySql(ReceivedSql sql, SqlNaming naming) {
    this.naming = Require.nonNull("naming", naming);
    this.sql = Require.nonNull("sql", sql).with(naming);
    this.attempts = new ReceivedAttempts(naming);
  }

  /** Returns the keys by which a consumer remembers some ids, in their order. */
  protected abstract InboxKeys keys(Connection transaction, String consumer, List<InboxId> ids)
      throws SQLException;

  @Override
  public final int count(Connection transaction, String consumer, int limit) throws SQLException {
    return number(transaction, sql.count(), consumer, limit);
  }

  @Override
  public final int park(
      Connection transaction, String consumer, List<Received> batch, ParkedFailure failure)
      throws SQLException {
    List<InboxId> ids = batch.stream().map(Received::inboxId).toList();
    Iterator<InboxKey> keys = keys(transaction, consumer, ids).all().iterator();
    Inserted inserted = inserted(consumer);
    int[] counts;
    try (PreparedStatement statement = transaction.prepareStatement(sql.park())) {
      counts =
          naming
              .values()
              .insertEach(
                  statement,
                  batch,
                  (to, each) -> {
                    List<@Nullable Object> values = new ArrayList<>(inserted.proof());
                    values.addAll(parked(consumer, each, failure, keys.next()));
                    naming.values().bind(to, values.toArray());
                  });
    }
    List<InboxId> parked = inserted.of(transaction, ids, counts);
    for (InboxId each : parked) {
      attempts.note(transaction, consumer, each, failure);
    }
    return parked.size();
  }

  /** How a call of {@link #park} finds out which rows it has inserted. */
  protected interface Inserted {

    /** Returns the first values of the statement that parks, if it has any of its own. */
    List<Object> proof();

    /**
     * Returns which messages were inserted.
     *
     * @param ids of the messages, in order
     * @param counts how many rows the statement has changed for each, as the driver says
     */
    List<InboxId> of(Connection transaction, List<InboxId> ids, int[] counts) throws SQLException;
  }

  /**
   * Returns how a call finds out which rows it has inserted: by the counts, on a database whose
   * statement changes no row that was there.
   */
  protected Inserted inserted(String consumer) {
    return COUNTED;
  }

  private static final Inserted COUNTED =
      new Inserted() {
        @Override
        public List<Object> proof() {
          return List.of();
        }

        @Override
        public List<InboxId> of(Connection transaction, List<InboxId> ids, int[] counts) {
          return IntStream.range(0, counts.length)
              .filter(i -> counts[i] > 0)
              .mapToObj(ids::get)
              .toList();
        }
      };

  private static List<@Nullable Object> parked(
      String consumer, Received message, ParkedFailure failure, InboxKey key) {
    return Arrays.asList(
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
        message.time(),
        key.consumerNo(),
        key.hash());
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
            row -> ParkedRow.message(naming.values(), row),
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
    int changed =
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
    if (changed > 0 && failure.attempt() != null) {
      attempts.note(transaction, consumer, parked.id(), failure);
      attempts.clear(transaction, consumer, parked.number(), failure.attempts());
    }
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
  public final Set<String> consumers(Connection transaction) throws SQLException {
    return Set.copyOf(rows(transaction, sql.consumers(), row -> row.getString(1)));
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
      SqlValues.OF_JDBC.bind(statement, values);
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
      SqlValues.OF_JDBC.bind(statement, values);
      return statement.executeUpdate();
    }
  }
}
