// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.Verb;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What operators have asked for, in the table {@code outledger_request}, the same on every
 * database. Every method works in the caller's transaction. Thread-safe.
 *
 * <p>A request's row is committed before anything is done for it. Whoever does a step locks the
 * row, and writes what came of it in the same transaction: a step that is rolled back has left
 * nothing, and is done again.
 */
public final class RequestTable {

  private static final String FROM = " FROM {schema}.outledger_request r WHERE ";

  private static final String OPEN = "r.state IN ('waiting', 'running')";

  // Further off than any step is put off: the database's clock was set back since.
  private static final String IS_DUE = "(r.next_at <= {now} OR r.next_at > ?)";

  private static final Duration PUT_OFF_MAX = Duration.ofMinutes(1);

  private static final String INSERT =
      """
      INSERT INTO {schema}.outledger_request
             (id, verb, reader_kind, reader, selection, asked_by, reason, content, state,
              result_text, asked_at, next_at, changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', '', {now}, {now}, {now})\
      """;

  // The primary key.
  private static final String ONE = "SELECT " + RequestRow.WITH_CONTENT + FROM + "r.id = ?";

  // outledger_request_open: those that are not over are few.
  private static final String DUE =
      """
      SELECT r.id FROM {schema}.outledger_request r
       WHERE %s AND %s
       ORDER BY r.next_at, r.id LIMIT ? OFFSET ?\
      """
          .formatted(OPEN, IS_DUE);

  private static final String PUT_OFF =
      "UPDATE {schema}.outledger_request SET next_at = ? WHERE id = ?";

  // Both: outledger_request_open, without a lock: a search may meet rows of others. In one order,
  // so
  // that two who lock what is found wait for each other.
  private static final String REPLAYS =
      "SELECT r.id"
          + FROM
          + "r.verb = 'replay' AND r.reader_kind = 'subscription' AND r.reader = ? AND "
          + OPEN
          + " ORDER BY r.id";
  private static final String OF_READER =
      "SELECT r.id"
          + FROM
          + "r.reader_kind = ? AND r.reader = ? AND r.id <> ? AND "
          + OPEN
          + " ORDER BY r.id";

  // outledger_request_open.
  private static final String ERASURES =
      "SELECT r.id"
          + FROM
          + "r.verb = 'erase' AND r.selection IN (?, ?) AND "
          + OPEN
          + " ORDER BY r.id";

  // The primary key.
  private static final String RENAME =
      "UPDATE {schema}.outledger_request SET reader = ?, selection = ? WHERE id = ?";

  // Both: the primary key. What a request says at length is kept as long as it is needed.
  private static final String WRITE =
      """
      UPDATE {schema}.outledger_request
         SET state = ?, done_count = ?, total_count = ?, work_place = ?, result_text = ?,
             error_code = ?, next_at = ?, changed_at = ?
       WHERE id = ?\
      """;
  private static final String WRITE_END =
      """
      UPDATE {schema}.outledger_request
         SET content = NULL, state = ?, done_count = ?, total_count = ?, work_place = ?,
             result_text = ?, error_code = ?, next_at = ?, changed_at = ?
       WHERE id = ?\
      """;

  // Those asked first are first in outledger_request_asked.
  private static final String OLD =
      """
      SELECT r.id FROM {schema}.outledger_request r
       WHERE r.state NOT IN ('waiting', 'running') AND r.asked_at < ? AND r.changed_at < ?
       ORDER BY r.asked_at LIMIT ?\
      """;

  // The primary key. A replay that is resumed meanwhile stays.
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_request
       WHERE id = ? AND state NOT IN ('waiting', 'running')\
      """;

  private final SqlNaming naming;
  private final String lock;
  private final String lockFree;
  private final String lockStopped;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @param forUpdate what follows a query whose rows are to be locked, waiting for others
   * @param skipLocked what follows it where rows that others have locked are left out
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public RequestTable(SqlNaming naming, String forUpdate, String skipLocked) {
    this.naming = Require.nonNull("naming", naming);
    this.lock = ONE + " AND " + OPEN + Require.nonNull("forUpdate", forUpdate);
    this.lockFree =
        ONE + " AND " + OPEN + " AND " + IS_DUE + Require.nonNull("skipLocked", skipLocked);
    this.lockStopped = ONE + " AND r.state = 'stopped'" + forUpdate;
  }

  /** Notes a request. */
  public void insert(Connection transaction, Request request) throws SQLException {
    Require.nonNull("request", request);
    try (PreparedStatement statement = prepared(transaction, INSERT)) {
      naming.values().bind(statement, 1, request.id());
      statement.setString(2, VerbText.name(request.verb()));
      statement.setString(3, request.verb().reader().kind().stored());
      statement.setString(4, request.verb().reader().name());
      statement.setString(5, VerbText.selection(request.verb()));
      statement.setString(6, request.askedBy());
      statement.setString(7, request.reason());
      statement.setBytes(8, VerbText.content(request.verb()));
      statement.executeUpdate();
    }
  }

  /** Returns a request. */
  public Optional<RequestRow> get(Connection transaction, UUID id) throws SQLException {
    return rows(transaction, ONE, Require.nonNull("id", id)).stream().findFirst();
  }

  /**
   * Returns the ids of requests whose next step is due, those that wait longest first.
   *
   * @param skipped so many that wait longest are left out
   * @param limit at most this many
   */
  public List<UUID> due(Connection transaction, int skipped, int limit) throws SQLException {
    return ids(transaction, DUE, now(transaction).plus(PUT_OFF_MAX), limit, skipped);
  }

  private List<UUID> ids(Connection transaction, String sql, Object... values) throws SQLException {
    List<UUID> ids = new ArrayList<>();
    try (PreparedStatement statement = prepared(transaction, sql)) {
      naming.values().bind(statement, values);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          ids.add(naming.values().uuid(rows, 1));
        }
      }
    }
    return ids;
  }

  /** Locks those of some requests that are not over, each after whoever is at it. */
  private List<RequestRow> locked(Connection transaction, List<UUID> ids) throws SQLException {
    List<RequestRow> locked = new ArrayList<>();
    for (UUID id : ids) {
      lock(transaction, id).ifPresent(locked::add);
    }
    return locked;
  }

  /**
   * Locks a request whose next step is due, until the transaction ends.
   *
   * @return the request; empty where it is over, not due, or somebody else is at it
   */
  public Optional<RequestRow> lockFree(Connection transaction, UUID id) throws SQLException {
    Require.nonNull("id", id);
    Instant far = now(transaction).plus(PUT_OFF_MAX);
    return rows(transaction, lockFree, id, far).stream().findFirst();
  }

  /**
   * Locks a request that is not over, after whoever is at it has ended the step.
   *
   * @return the request; empty where it is over
   */
  public Optional<RequestRow> lock(Connection transaction, UUID id) throws SQLException {
    return rows(transaction, lock, Require.nonNull("id", id)).stream().findFirst();
  }

  /**
   * Locks a request that was stopped, after whoever is at it.
   *
   * @return the request; empty where it is in another state
   */
  public Optional<RequestRow> lockStopped(Connection transaction, UUID id) throws SQLException {
    return rows(transaction, lockStopped, Require.nonNull("id", id)).stream().findFirst();
  }

  /** Puts off the next step of a request that the transaction has locked. */
  public void putOff(Connection transaction, RequestRow locked, Duration next) throws SQLException {
    Require.nonNull("next", next);
    try (PreparedStatement statement = prepared(transaction, PUT_OFF)) {
      naming.values().bind(statement, 1, Require.nonNull("locked", locked).now().plus(next));
      naming.values().bind(statement, 2, locked.status().id());
      statement.executeUpdate();
    }
  }

  /** Locks the replays of a subscription that are not over, after whoever is at them. */
  public List<RequestRow> lockReplays(Connection transaction, String subscription)
      throws SQLException {
    Require.nonNull("subscription", subscription);
    return locked(transaction, ids(transaction, REPLAYS, subscription));
  }

  /**
   * Locks the requests of a request's reader that are not over, after whoever is at them.
   *
   * @return them, without this one
   */
  public List<RequestRow> lockOthers(Connection transaction, RequestRow locked)
      throws SQLException {
    Reader reader = Require.nonNull("locked", locked).status().reader();
    UUID own = locked.status().id();
    return locked(
        transaction, ids(transaction, OF_READER, reader.kind().stored(), reader.name(), own));
  }

  /**
   * Returns an erasure of a message, or of its key, that is not over; empty where there is none.
   *
   * @param id the message's id
   * @param key its key; null where it has none
   */
  public Optional<UUID> openErasure(Connection transaction, UUID id, @Nullable String key)
      throws SQLException {
    String ofOne = VerbText.selection(Verb.Erase.message(id));
    try (PreparedStatement statement = prepared(transaction, ERASURES)) {
      statement.setString(1, ofOne);
      statement.setString(2, key == null ? ofOne : VerbText.selection(Verb.Erase.key(key)));
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(naming.values().uuid(rows, 1)) : Optional.empty();
      }
    }
  }

  /** Writes whom a request that the transaction has locked is about, where that was renamed. */
  public void rename(Connection transaction, RequestRow locked, String reader, String selection)
      throws SQLException {
    Require.nonNull("locked", locked);
    Require.nonNull("reader", reader);
    Require.nonNull("selection", selection);
    try (PreparedStatement statement = prepared(transaction, RENAME)) {
      statement.setString(1, reader);
      statement.setString(2, selection);
      naming.values().bind(statement, 3, locked.status().id());
      statement.executeUpdate();
    }
  }

  /** Writes what a step has come to, of a request that the transaction has locked. */
  public void write(Connection transaction, RequestRow locked, RequestStep step)
      throws SQLException {
    Require.nonNull("locked", locked);
    Require.nonNull("step", step);
    String write = step.state().isOver() ? WRITE_END : WRITE;
    try (PreparedStatement statement = prepared(transaction, write)) {
      statement.setString(1, step.state().stored());
      statement.setLong(2, step.done());
      statement.setObject(3, step.total(), java.sql.Types.BIGINT);
      statement.setString(4, step.place());
      statement.setString(5, step.result());
      statement.setString(6, step.code());
      naming.values().bind(statement, 7, locked.now().plus(step.next()));
      naming.values().bind(statement, 8, locked.now());
      naming.values().bind(statement, 9, locked.status().id());
      statement.executeUpdate();
    }
  }

  /**
   * Removes requests that were asked for, and were over, longer ago than an age.
   *
   * @param limit at most this many
   * @return how many were removed
   */
  public int purge(Connection transaction, Duration age, int limit) throws SQLException {
    Require.nonNull("age", age);
    List<UUID> old = new ArrayList<>();
    Instant end = now(transaction).minus(age);
    try (PreparedStatement statement = prepared(transaction, OLD)) {
      naming.values().bind(statement, 1, end);
      naming.values().bind(statement, 2, end);
      statement.setInt(3, limit);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          old.add(naming.values().uuid(rows, 1));
        }
      }
    }
    try (PreparedStatement statement = prepared(transaction, REMOVE)) {
      for (UUID id : old) {
        naming.values().bind(statement, 1, id);
        statement.addBatch();
      }
      statement.executeBatch();
    }
    return old.size();
  }

  private Instant now(Connection transaction) throws SQLException {
    try (PreparedStatement statement = prepared(transaction, "SELECT {now}");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return naming.values().time(row, 1);
    }
  }

  private List<RequestRow> rows(Connection transaction, String sql, Object... values)
      throws SQLException {
    List<RequestRow> all = new ArrayList<>();
    try (PreparedStatement statement = prepared(transaction, sql)) {
      naming.values().bind(statement, values);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          all.add(RequestRow.read(naming.values(), rows));
        }
      }
    }
    return all;
  }

  private PreparedStatement prepared(Connection transaction, String sql) throws SQLException {
    return Require.nonNull("transaction", transaction).prepareStatement(naming.in(sql));
  }
}
