// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.TransactionalHandler;
import io.outledger.relay.Relay;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A program whose default locale writes numbers in other digits. It applies the schema, appends
 * messages, processes them with a handler that fails once, and moves its subscription over an open
 * position.
 */
final class ArabicApplication {

  static final int MESSAGES = 20;

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int LARGE_BYTES = 2 * LedgerPoll.INLINE_BYTES_MAX;

  private ArabicApplication() {}

  /** Ends with an exception where anything is not done; the database's URL is the argument. */
  public static void main(String[] arguments) throws Exception {
    if ("%d".formatted(7).equals("7")) {
      throw new IllegalStateException("the default locale has the digits 0 to 9");
    }
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(arguments[0]);
    PostgreSql.schema().apply(dataSource);
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE effect (version int)");
    }
    try (Outledger outledger = Outledger.builder(dataSource).build()) {
      for (int version = 1; version < MESSAGES; version++) {
        outledger.outbox().inNewTransaction(message(version));
      }
      AtomicBoolean failed = new AtomicBoolean();
      TransactionalHandler handler =
          (connection, message) -> {
            process(connection, message);
            if (message.version() == 3 && failed.compareAndSet(false, true)) {
              throw new IllegalStateException("it fails once");
            }
          };
      process(outledger, handler, MESSAGES - 1);
      moveOverAnOpenPosition(outledger, dataSource);
      process(outledger, handler, 1);
    }
  }

  private static void moveOverAnOpenPosition(Outledger outledger, PGSimpleDataSource dataSource)
      throws Exception {
    try (Connection writer = dataSource.getConnection()) {
      writer.setAutoCommit(false);
      outledger.outbox().append(writer, message(MESSAGES));
      outledger.subscriptions().skip("app", Start.NOW);
      writer.commit();
    }
  }

  /** Steps a relay until the handler has processed so many messages. */
  private static void process(Outledger outledger, TransactionalHandler handler, int count)
      throws InterruptedException {
    Backoff backoff = new Backoff(Duration.ofMillis(10), Duration.ofMillis(10));
    try (Relay relay =
        outledger
            .relay("app")
            .options(o -> o.retry(RetryPolicy.DEFAULT.withBackoff(backoff)))
            .handler("count", handler)
            .build()) {
      long published = 0;
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (published < count) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException(published + " of " + count + " were processed");
        }
        published += relay.drain(PATIENCE).published();
      }
    }
  }

  private static Message message(int version) {
    return Message.to("orders", "order.placed")
        .key("k" + version)
        .version(version)
        .header("tenant", "north")
        .payload(new byte[version % 5 == 0 ? LARGE_BYTES : 10])
        .build();
  }

  /** Does what the handler is for. */
  static void process(Connection connection, Message message) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
      insert.setInt(1, message.version());
      insert.executeUpdate();
    }
  }
}
