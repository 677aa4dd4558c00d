// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.partition;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Divide;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.postgresql.PostgreSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The messages, each with the next number of its key, and their effects. The run alone writes
 * messages, and its database lives, so it knows what was committed. Used by one thread.
 */
final class Work implements AutoCloseable {

  /** The header with a message's number among those of its key. */
  static final String NUMBER = "number";

  private static final int KEYS = 48;

  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
  private final Outledger outledger;
  private final SplittableRandom random;
  private final Map<String, Integer> committed = new TreeMap<>();

  Work(String jdbcUrl, SplittableRandom random) throws SQLException {
    this.random = random;
    dataSource.setURL(jdbcUrl);
    PostgreSql.schema().apply(dataSource);
    outledger = Outledger.builder(dataSource).withoutRetention().build();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE effect (n bigserial PRIMARY KEY, message_key text NOT NULL,"
              + " number int NOT NULL, instance text NOT NULL)");
    }
  }

  /** Appends about so many messages, in small transactions; one in ten is rolled back. */
  void append(int count) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      for (int left = count; left > 0; left -= 3) {
        String key = "k" + random.nextInt(KEYS);
        int next = committed.getOrDefault(key, 0);
        for (int i = 0; i < 3; i++) {
          outledger.outbox().append(connection, message(key, next + i));
        }
        if (random.nextInt(10) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          committed.put(key, next + 3);
        }
      }
    }
  }

  private static Message message(String key, int number) {
    return Message.to("work", "work.done")
        .key(key)
        .header(NUMBER, String.valueOf(number))
        .payload(new byte[] {1})
        .build();
  }

  /** Asks for another number of partitions; processes that run relays go on with it. */
  Request divide(int partitions) {
    Request request =
        new Divide(WorkProcess.SUBSCRIPTION, partitions).by("chaos", "another number");
    outledger.requests().ask(request);
    return request;
  }

  /** Returns how a request stands. */
  RequestStatus status(Request request) {
    return outledger.requests().get(request.id()).orElseThrow();
  }

  /** Returns how many messages were committed. */
  long committed() {
    return committed.values().stream().mapToLong(Integer::longValue).sum();
  }

  /** Returns how many effects there are. */
  long effects() throws SQLException {
    return number("SELECT count(*) FROM effect");
  }

  /** Returns how many processes have had an effect. */
  long hands() throws SQLException {
    return number("SELECT count(DISTINCT instance) FROM effect");
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Returns what is wrong: each message of a key has one effect, after that of the one before. */
  List<String> wrong() throws SQLException {
    List<String> wrong = new ArrayList<>();
    Map<String, Integer> next = new TreeMap<>();
    String all = "SELECT message_key, number, instance FROM effect ORDER BY n";
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(all);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        String key = rows.getString(1);
        int number = rows.getInt(2);
        int due = next.getOrDefault(key, 0);
        if (number != due) {
          wrong.add(
              "%s: %d took effect in %s where %d was due"
                  .formatted(key, number, rows.getString(3), due));
        }
        next.put(key, Math.max(due, number + 1));
      }
    }
    committed.forEach(
        (key, count) -> {
          int seen = next.getOrDefault(key, 0);
          if (seen != count) {
            wrong.add("%s: %d effects of %d messages".formatted(key, seen, count));
          }
        });
    return wrong;
  }

  Connection connect() throws SQLException {
    return dataSource.getConnection();
  }

  @Override
  public void close() {
    outledger.close();
  }
}
