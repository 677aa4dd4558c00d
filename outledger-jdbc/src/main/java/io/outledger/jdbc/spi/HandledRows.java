// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.ReplayRows.Fit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The inbox records of a route's handler, of messages that are published once more in that route.
 * Every method works in the caller's transaction. Thread-safe.
 */
public final class HandledRows {

  // A small table. That of a route has its name; one with a name of its own may be of any.
  private static final String NAMES =
      """
      SELECT c.consumer, c.consumer_no, c.hashed_consumer, c.hashed_source
        FROM {schema}.outledger_inbox_consumer c WHERE c.subscription = ?\
      """;

  // A probe of the primary key for each.
  private static final String COUNT =
      """
      SELECT COUNT(*) FROM {schema}.outledger_inbox i
       WHERE i.consumer_no = ? AND i.message_hash IN (%s)\
      """;
  private static final String FORGET =
      "DELETE FROM {schema}.outledger_inbox WHERE consumer_no = ? AND message_hash IN (%s)";

  private final SqlNaming naming;
  private final String subscription;

  HandledRows(SqlNaming naming, CursorKey key) {
    this.naming = naming;
    this.subscription = key.subscription();
  }

  /** Returns how many times the handlers of a route will pass over one of some messages. */
  public long count(Connection transaction, String route, List<Fit> messages) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("route", route);
    Require.nonNull("messages", messages);
    long known = 0;
    for (InboxName name : names(transaction, route, messages)) {
      try (PreparedStatement statement = bound(transaction, COUNT, name, messages);
          ResultSet row = statement.executeQuery()) {
        row.next();
        known += row.getLong(1);
      }
    }
    return known;
  }

  /** Makes the handlers of a route forget some messages, and returns how many times one did. */
  public long forget(Connection transaction, String route, List<Fit> messages) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("route", route);
    Require.nonNull("messages", messages);
    long forgotten = 0;
    for (InboxName name : names(transaction, route, messages)) {
      try (PreparedStatement statement = bound(transaction, FORGET, name, messages)) {
        forgotten += statement.executeUpdate();
      }
    }
    return forgotten;
  }

  private Set<InboxName> names(Connection transaction, String route, List<Fit> messages)
      throws SQLException {
    if (messages.isEmpty()) {
      return Set.of();
    }
    String ofRoute = RenamedRows.consumerOf(subscription, route);
    String ofRoutes = RenamedRows.consumerOf(subscription, "");
    return ReceivedTableBySql.rows(transaction, naming.in(NAMES), this::name, subscription).stream()
        .filter(name -> name.consumer().equals(ofRoute) || !name.consumer().startsWith(ofRoutes))
        .collect(Collectors.toSet());
  }

  private InboxName name(ResultSet row) throws SQLException {
    InboxName first = InboxName.first(row.getString(1), subscription);
    return first.hashedAs(row.getInt(2), row.getString(3), row.getString(4));
  }

  private PreparedStatement bound(
      Connection transaction, String sql, InboxName name, List<Fit> messages) throws SQLException {
    String source = Received.inboxSourceOf(subscription);
    PreparedStatement statement =
        transaction.prepareStatement(
            naming.in(sql.formatted(ReplayRows.parameters(messages.size()))));
    int at = 1;
    statement.setInt(at++, name.number());
    for (Fit each : messages) {
      InboxId id = new InboxId(source, Received.ledgerId(each.position(), each.id()));
      UUID hash = InboxKey.of(name, id).hash();
      naming.values().bind(statement, at++, hash);
    }
    return statement;
  }
}
