// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcPublisher;
import io.outledger.jdbc.Outledger;
import io.outledger.publish.Publisher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Another database as the destination: a {@link JdbcPublisher} carries messages into it, over a
 * line that can be taken away. It has Outledger's schema and {@link #TABLE}. Used by one thread.
 */
public final class CarriedFixture implements PublisherFixture {

  /** Creates the table that the messages are carried into, in the SQL of each database. */
  public static final String TABLE =
      """
      CREATE TABLE carried (
        n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id VARCHAR(40),
        ordering_key VARCHAR(500),
        type VARCHAR(200) CHECK (type <> 'unacceptable'), version INT, payload BYTEA,
        tenant VARCHAR(100), time VARCHAR(40), tombstone VARCHAR(5))\
      """;

  private final DataSource direct;
  private final Line line;
  private final Waiting waiting;
  private final Outledger there;
  private final JdbcPublisher publisher;
  private volatile @Nullable String cutsAt;

  /** The way to the database. */
  public interface Line {

    /** Makes the database unreachable. */
    void takeAway();

    /** Lets everything that the database answers get lost, also that to a commit. */
    void loseAnswers();

    /** Makes the database reachable again. */
    void bringBack();

    /** Ends the database as {@link PublisherFixture#crash} says. */
    void crash();

    /** Ends the way and what was made for it. */
    void close();
  }

  /** What the fixture needs of its surroundings. */
  public interface Waiting {

    /** Waits until a condition holds, and fails after a generous time. */
    void until(BooleanSupplier condition);

    /** Keeps the log as {@link PublisherFixture#logOf} says. */
    List<String> logOf(Runnable work);
  }

  /**
   * Creates the fixture.
   *
   * @param direct leads to the database whatever becomes of the line
   * @param overTheLine leads to it over the line
   * @param line the line
   * @param waiting waits for what is carried, and keeps the log
   */
  public CarriedFixture(DataSource direct, DataSource overTheLine, Line line, Waiting waiting) {
    this.direct = direct;
    this.line = line;
    this.waiting = waiting;
    there = Outledger.builder(overTheLine).build();
    publisher = JdbcPublisher.into(there.inbox("billing"), "orders", this::carry).threads(2);
  }

  /** Carries a message: the handler of the publisher. */
  public static void insert(Connection connection, Message message) throws SQLException {
    String sql =
        "INSERT INTO carried (id, ordering_key, type, version, payload, tenant, time,"
            + " tombstone) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setString(1, message.id().toString());
      insert.setString(2, message.key());
      insert.setString(3, message.type());
      insert.setInt(4, message.version());
      insert.setBytes(5, message.payload());
      insert.setString(6, message.headers().get("tenant"));
      insert.setString(7, message.time().toString());
      insert.setString(8, message.headers().get(Message.TOMBSTONE_HEADER));
      insert.executeUpdate();
    }
  }

  /**
   * Executes a statement.
   *
   * @throws IllegalStateException if it fails
   */
  public static void execute(DataSource dataSource, String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return "orders";
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    waiting.until(() -> carried(direct).stream().map(Received::id).toList().containsAll(awaited));
    return carried(direct);
  }

  /** Returns everything that was carried into a database, in the order of its commits of a key. */
  public static List<Received> carried(DataSource dataSource) {
    List<Received> all = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM carried ORDER BY n")) {
      while (rows.next()) {
        Map<String, String> headers = new TreeMap<>();
        for (String name : List.of("tenant", Message.TOMBSTONE_HEADER)) {
          String value = rows.getString(name);
          if (value != null) {
            headers.put(name, value);
          }
        }
        all.add(
            new Received(
                "orders",
                rows.getString("id"),
                "orders",
                rows.getString("ordering_key"),
                rows.getString("type"),
                rows.getInt("version"),
                rows.getBytes("payload"),
                headers,
                Instant.parse(rows.getString("time")),
                "",
                ""));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return all;
  }

  @Override
  public void takeAway() {
    line.takeAway();
  }

  @Override
  public void loseAnswers() {
    line.loseAnswers();
  }

  /** As a driver says it whose server is behind such a line. */
  @Override
  public void cutAt(String text) {
    cutsAt = text;
  }

  private void carry(Connection connection, Message message) throws SQLException {
    if (cutsAt != null && cutsAt.equals(message.key())) {
      throw new SQLException("the connection broke", "08006");
    }
    insert(connection, message);
  }

  @Override
  public void bringBack() {
    line.bringBack();
  }

  @Override
  public void crash() {
    line.crash();
  }

  @Override
  public List<String> logOf(Runnable work) {
    return waiting.logOf(work);
  }

  @Override
  public Message unacceptable(String key) {
    return Message.to(topic(), "unacceptable").key(key).build();
  }

  @Override
  public boolean knowsMessagesById() {
    return true;
  }

  @Override
  public void close() {
    there.close();
    line.close();
  }
}
