// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * What an operator does with subscriptions: list, move, delete. Each is one transaction. Neither a
 * running relay nor a purge needs to be stopped first. Thread-safe.
 */
public final class Subscriptions {

  private static final int ATTEMPTS_MAX = 100;

  // One index step back for each subscription, and its first hole.
  private static final String LIST =
      """
      SELECT s.subscription, s.partition, s.high,
             least(coalesce(s.open_first[1], s.high + 1),
                   (SELECT min(h.first) FROM {schema}.outledger_hole h
                     WHERE h.subscription = s.subscription AND h.partition = s.partition)),
             s.saved_at, s.lease_until
        FROM {schema}.outledger_subscription s ORDER BY s.subscription, s.partition\
      """;

  // All of them: a range of the primary key.
  private static final List<String> DELETE =
      List.of(
          "DELETE FROM {schema}.outledger_parked WHERE subscription = ?",
          "DELETE FROM {schema}.outledger_hole WHERE subscription = ?",
          "DELETE FROM {schema}.outledger_late WHERE subscription = ?",
          "DELETE FROM {schema}.outledger_cursor WHERE subscription = ?");

  private static final String EXISTS =
      "SELECT EXISTS (SELECT FROM {schema}.outledger_cursor c WHERE c.subscription = ?)";

  private final DataSource dataSource;
  private final Tables tables;

  private Subscriptions(DataSource dataSource, Tables tables) {
    this.dataSource = dataSource;
    this.tables = tables;
  }

  /**
   * Creates it for the tables in a schema, without I/O.
   *
   * @throws ConfigurationException {@code OUT-006} where it is not a valid name
   */
  public static Subscriptions of(DataSource dataSource, String schema) {
    return new Subscriptions(dataSource, new Tables(schema));
  }

  /**
   * Returns all subscriptions, by name.
   *
   * @throws StoreException where the database failed
   */
  public List<SubscriptionStatus> list() {
    return Transactional.run(dataSource, "listing subscriptions", this::list);
  }

  /**
   * Moves a subscription, back to replay or forward to skip. Its owner is fenced at its next save
   * and goes on from there; what it was publishing meanwhile may be published again. Messages that
   * are parked stay parked.
   *
   * @param name the subscription
   * @param start where it goes on
   * @throws ConfigurationException {@code OUT-019} where retention has removed the start, {@code
   *     OUT-021} where it is beyond the ledger's end, {@code OUT-025} where there is no such
   *     subscription; nothing has changed
   * @throws StoreException where the database failed
   */
  public void move(String name, Start start) {
    CursorPlacing placing = new CursorPlacing(tables, new CursorKey(name, 0));
    for (int attempt = 1; ; attempt++) {
      try {
        Transactional.run(
            dataSource,
            "moving subscription " + name,
            connection -> {
              long purgedTo = placing.lock(connection);
              check(connection, name);
              placing.place(connection, purgedTo, start);
              return purgedTo;
            });
        return;
      } catch (StoreException e) {
        // Its owner saved the same row number in the meantime: the next number will do.
        boolean wasTaken =
            e.getCause() instanceof SQLException cause && StoreFailure.isUniqueViolation(cause);
        if (!wasTaken || attempt == ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  /**
   * Deletes a subscription with its cursor and its parked messages. A relay that still runs it is
   * fenced, and would make it again: stop it first.
   *
   * @throws ConfigurationException {@code OUT-025} where there is no such subscription
   * @throws StoreException where the database failed; nothing has changed
   */
  public void delete(String name) {
    Transactional.run(
        dataSource,
        "deleting subscription " + name,
        connection -> {
          new CursorPlacing(tables, new CursorKey(name, 0)).lock(connection);
          check(connection, name);
          for (String sql : DELETE) {
            try (PreparedStatement statement = connection.prepareStatement(tables.in(sql))) {
              statement.setString(1, name);
              statement.executeUpdate();
            }
          }
          return name;
        });
  }

  private List<SubscriptionStatus> list(Connection connection) throws SQLException {
    List<SubscriptionStatus> all = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(tables.in(LIST));
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        OffsetDateTime leaseUntil = rows.getObject(6, OffsetDateTime.class);
        all.add(
            new SubscriptionStatus(
                rows.getString(1),
                rows.getInt(2),
                rows.getLong(3),
                rows.getLong(4),
                rows.getObject(5, OffsetDateTime.class).toInstant(),
                leaseUntil == null ? null : leaseUntil.toInstant()));
      }
    }
    return all;
  }

  private void check(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(tables.in(EXISTS))) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        if (!row.getBoolean(1)) {
          throw new ConfigurationException(
              ErrorCode.UNKNOWN_SUBSCRIPTION,
              "there is no subscription \""
                  + name
                  + "\": list them to see the names; one is made when its relay starts");
        }
      }
    }
  }
}
