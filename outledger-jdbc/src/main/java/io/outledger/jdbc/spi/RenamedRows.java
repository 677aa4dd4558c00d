// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Rows that carry the name of a subscription, a route or a consumer, but for cursors and
 * declarations, the same on every database. Every method works in the caller's transaction, in
 * which nobody reads in one of the names. Thread-safe.
 *
 * <p>No inbox record changes. The row that names a consumer is given the new name, and keeps the
 * number and what the hashes contain of the old one; see {@link InboxName}.
 */
public final class RenamedRows {

  // All: ranges of primary keys.
  private static final String PARKED =
      "UPDATE {schema}.outledger_parked SET subscription = ? WHERE subscription = ?";
  private static final String PARKED_ROUTE =
      "UPDATE {schema}.outledger_parked SET route = ? WHERE subscription = ? AND route = ?";
  private static final String PAUSED =
      "UPDATE {schema}.outledger_pause SET subscription = ? WHERE subscription = ?";
  private static final String PAUSED_ROUTE =
      """
      UPDATE {schema}.outledger_pause SET scope_name = ?
       WHERE subscription = ? AND scope_kind = 'route' AND scope_name = ?\
      """;
  private static final String FORGET_PAUSE =
      """
      DELETE FROM {schema}.outledger_pause
       WHERE subscription = ? AND scope_kind = 'route' AND scope_name = ?\
      """;
  private static final String FORGET_PAUSES =
      "DELETE FROM {schema}.outledger_pause WHERE subscription = ?";
  private static final String IS_PARKED =
      "SELECT 1 FROM {schema}.outledger_parked p WHERE p.subscription = ? LIMIT 1";
  private static final String IS_PARKED_ROUTE =
      "SELECT 1 FROM {schema}.outledger_parked p WHERE p.subscription = ? AND p.route = ? LIMIT 1";
  private static final String IS_RECEIVED =
      "SELECT 1 FROM {schema}.outledger_inbox_parked p WHERE p.consumer = ? LIMIT 1";

  // A small table.
  private static final String NAMES =
      """
      SELECT DISTINCT c.consumer, c.subscription FROM {schema}.outledger_inbox_consumer c
       WHERE c.subscription = ? OR c.consumer = ?\
      """;

  // A small table, and a probe of the primary key for each number.
  private static final String NUMBERS =
      """
      SELECT DISTINCT c.consumer_no, c.hashed_consumer FROM {schema}.outledger_inbox_consumer c
       WHERE c.%s = ?\
      """;
  private static final String IS_REMEMBERED =
      "SELECT 1 FROM {schema}.outledger_inbox i WHERE i.consumer_no = ? LIMIT 1";

  // A small table. A name that was freed since contains a line feed.
  private static final String FIRST_NAME =
      """
      SELECT DISTINCT c.hashed_consumer FROM {schema}.outledger_inbox_consumer c
       WHERE c.consumer = ? AND c.hashed_consumer IS NOT NULL\
      """;

  // The primary key. What is hashed comes first: some databases see a new name at once.
  private static final String NAME =
      """
      UPDATE {schema}.outledger_inbox_consumer
         SET hashed_consumer = COALESCE(hashed_consumer, consumer),
             hashed_source = COALESCE(hashed_source, ?), consumer = ?, subscription = ?
       WHERE consumer = ? AND subscription = ?\
      """;
  private static final String FIRST_NAMES =
      """
      SELECT DISTINCT c.hashed_consumer FROM {schema}.outledger_inbox_consumer c
       WHERE c.hashed_source = ? AND c.subscription <> ?\
      """;
  private static final String TELL =
      """
      INSERT INTO {schema}.outledger_inbox_consumer
             (consumer, subscription, told_in, consumer_no, hashed_consumer, hashed_source)
      VALUES (?, ?, ?, ?, ?, ?)\
      """;

  // The primary key, and the unique key: one that is parked in both names stays where it is.
  private static final String RECEIVED =
      """
      SELECT p.number FROM {schema}.outledger_inbox_parked p
       WHERE p.consumer = ? AND p.number > ?
         AND NOT EXISTS (SELECT 1 FROM {schema}.outledger_inbox_parked other
                          WHERE other.consumer = ? AND other.source = p.source
                            AND other.message_id = p.message_id)
       ORDER BY p.number LIMIT ?\
      """;
  private static final String RECEIVE =
      "UPDATE {schema}.outledger_inbox_parked SET consumer = ? WHERE consumer = ? AND number = ?";
  private static final int BATCH = 1_000;

  private final SqlNaming naming;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public RenamedRows(SqlNaming naming) {
    this.naming = Require.nonNull("naming", naming);
  }

  /** Gives a subscription's rows to one of another name. */
  public void subscription(Connection transaction, String from, String to) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("from", from);
    Require.nonNull("to", to);
    update(transaction, PARKED, to, from);
    update(transaction, FORGET_PAUSES, to);
    update(transaction, PAUSED, to, from);
    for (InboxName name : names(transaction, from, from)) {
      if (name.subscription().equals(from)) {
        String consumer = name.consumer();
        boolean isOfRoute = consumer.startsWith(from + "/");
        name(transaction, name, isOfRoute ? to + consumer.substring(from.length()) : consumer, to);
      }
    }
  }

  /** Gives the rows of a subscription's route to one of another name. */
  public void route(Connection transaction, String subscription, String from, String to)
      throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("subscription", subscription);
    Require.nonNull("from", from);
    Require.nonNull("to", to);
    update(transaction, PARKED_ROUTE, to, subscription, from);
    update(transaction, FORGET_PAUSE, subscription, to);
    update(transaction, PAUSED_ROUTE, to, subscription, from);
    InboxName old = InboxName.first(consumerOf(subscription, from), subscription);
    name(transaction, old, consumerOf(subscription, to), subscription);
  }

  /**
   * Gives a consumer's rows to one of another name. What is parked in both names stays in the old
   * one.
   *
   * @return how many parked messages were given
   * @throws ConfigurationException {@code OUT-021} if it is the consumer of a subscription's route,
   *     which has its name
   */
  public long consumer(Connection transaction, String from, String to) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("from", from);
    Require.nonNull("to", to);
    List<InboxName> names = names(transaction, "", from);
    for (InboxName name : names) {
      if (name.consumer().equals(from)) {
        if (!name.subscription().isEmpty() && from.startsWith(name.subscription() + "/")) {
          throw new ConfigurationException(
              ErrorCode.INVALID_CONFIGURATION,
              "consumer \""
                  + from
                  + "\" has the name of a route of subscription \""
                  + name.subscription()
                  + "\"; nothing was renamed. Rename the route");
        }
        name(transaction, name, to, name.subscription());
      }
    }
    if (names.stream().noneMatch(name -> name.consumer().equals(from))) {
      InboxName first = InboxName.first(from, ""); // its broker knows it, though it knows nothing
      String toldIn = "renamed";
      update(transaction, TELL, to, "", toldIn, first.number(), from, first.hashedSource());
    }
    return receive(transaction, from, to);
  }

  /** Returns the name that a consumer had first; its name where it was never renamed. */
  public String firstName(Connection transaction, String consumer) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("consumer", consumer);
    return ReceivedTableBySql.rows(
            transaction, naming.in(FIRST_NAME), row -> row.getString(1), consumer)
        .stream()
        .filter(name -> name.indexOf('\n') < 0)
        .findFirst()
        .orElse(consumer);
  }

  private long receive(Connection transaction, String from, String to) throws SQLException {
    long moved = 0;
    List<Long> numbers = List.of();
    do {
      long after = numbers.isEmpty() ? Long.MIN_VALUE : numbers.get(numbers.size() - 1);
      numbers =
          ReceivedTableBySql.rows(
              transaction, naming.in(RECEIVED), row -> row.getLong(1), from, after, to, BATCH);
      try (PreparedStatement statement = transaction.prepareStatement(naming.in(RECEIVE))) {
        for (Long number : numbers) {
          statement.setString(1, to);
          statement.setString(2, from);
          statement.setLong(3, number);
          statement.addBatch();
        }
        statement.executeBatch();
      }
      moved += numbers.size();
    } while (numbers.size() == BATCH);
    return moved;
  }

  /**
   * What is kept in a name.
   *
   * @param parked whether messages are parked in it
   * @param remembered whether it is remembered what was processed in it
   */
  public record Kept(boolean parked, boolean remembered) {

    /** Returns whether there is something. */
    public boolean isAny() {
      return parked || remembered;
    }
  }

  /** Returns what is kept in the name of a subscription. */
  public Kept ofSubscription(Connection transaction, String name) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("name", name);
    return new Kept(
        isThere(transaction, IS_PARKED, name), isRemembered(transaction, "subscription", name));
  }

  /** Returns what is kept in the name of a subscription's route. */
  public Kept ofRoute(Connection transaction, String subscription, String route)
      throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("subscription", subscription);
    Require.nonNull("route", route);
    return new Kept(
        isThere(transaction, IS_PARKED_ROUTE, subscription, route),
        isRemembered(transaction, "consumer", consumerOf(subscription, route)));
  }

  /** Returns whether there is, or was, a handler or a parked message of a subscription's route. */
  public boolean isRoute(Connection transaction, String subscription, String route)
      throws SQLException {
    return ofRoute(transaction, subscription, route).parked()
        || isNamed(transaction, consumerOf(subscription, route));
  }

  /** Returns whether there is, or was, a consumer, or a parked message of one. */
  public boolean isConsumer(Connection transaction, String name) throws SQLException {
    return ofConsumer(transaction, name).parked() || isNamed(transaction, name);
  }

  private boolean isNamed(Connection transaction, String consumer) throws SQLException {
    return names(transaction, "", consumer).stream()
        .anyMatch(name -> name.consumer().equals(consumer));
  }

  /** Returns what is kept in the name of a consumer. */
  public Kept ofConsumer(Connection transaction, String name) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("name", name);
    return new Kept(
        isThere(transaction, IS_RECEIVED, name), isRemembered(transaction, "consumer", name));
  }

  /**
   * Returns whether records are kept in a name. One that another had before counts as well: a row
   * that was renamed goes before the one that is told in the name itself.
   */
  private boolean isRemembered(Connection transaction, String column, String name)
      throws SQLException {
    for (NameNumber each :
        ReceivedTableBySql.rows(
            transaction,
            naming.in(NUMBERS.formatted(column)),
            row -> new NameNumber(row.getInt(1), row.getString(2) != null),
            name)) {
      if (each.isRenamed() || isThere(transaction, IS_REMEMBERED, each.number())) {
        return true;
      }
    }
    return false;
  }

  private record NameNumber(int number, boolean isRenamed) {}

  /**
   * Sees to it that a subscription which is made in a name that another had first remembers nothing
   * of what that one's handlers did.
   *
   * @param id of the request that lets the name be used again
   */
  public void free(Connection transaction, String subscription, UUID id) throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("subscription", subscription);
    Require.nonNull("id", id);
    String source = InboxName.sourceOf(subscription);
    for (String consumer :
        ReceivedTableBySql.rows(
            transaction, naming.in(FIRST_NAMES), row -> row.getString(1), source, subscription)) {
      String hashed = consumer + '\n' + id; // which no name contains
      if (consumer.indexOf('\n') < 0) {
        update(
            transaction,
            TELL,
            consumer,
            subscription,
            id.toString(),
            InboxKey.numberOf(hashed, subscription),
            hashed,
            source);
      }
    }
  }

  /** Returns the name of the consumer of a subscription's route that is a handler. */
  static String consumerOf(String subscription, String route) {
    return subscription + "/" + route;
  }

  private List<InboxName> names(Connection transaction, String subscription, String consumer)
      throws SQLException {
    return ReceivedTableBySql.rows(
        transaction,
        naming.in(NAMES),
        row -> InboxName.first(row.getString(1), row.getString(2)),
        subscription,
        consumer);
  }

  private void name(Connection transaction, InboxName from, String consumer, String subscription)
      throws SQLException {
    update(
        transaction,
        NAME,
        from.hashedSource(),
        consumer,
        subscription,
        from.consumer(),
        from.subscription());
  }

  private boolean isThere(Connection transaction, String sql, Object... values)
      throws SQLException {
    return !ReceivedTableBySql.rows(transaction, naming.in(sql), row -> Boolean.TRUE, values)
        .isEmpty();
  }

  private void update(Connection transaction, String sql, @Nullable Object... values)
      throws SQLException {
    ReceivedTableBySql.update(transaction, naming.in(sql), values);
  }
}
