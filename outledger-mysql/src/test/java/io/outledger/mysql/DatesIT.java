// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.sql.Sql;
import io.outledger.servers.Await;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A time that is no date, as a server takes it whose sql_mode is lax, stops no relay. */
abstract class DatesIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final TestDatabase database;

  DatesIT(TestDatabase empty) {
    this.database = empty.withTables();
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** Lets a session insert what the ledger's constraints refuse. */
  abstract void allowAll(Connection connection) throws SQLException;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000-00-00 00:00:00",
        "2026-00-10 00:00:00",
        "2026-02-00 00:00:00",
        "2026-02-31 10:00:00"
      })
  void messageIsParkedAndTheNextIsPublished(String time) throws SQLException {
    try (Connection connection = lax()) {
      allowAll(connection);
      insert(connection, time);
    }
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      outledger.relay("all").to(publisher).start();
      outledger.outbox().inNewTransaction(Message.to("orders", "order.placed").build());
      Await.until(
          "the next message is published", PATIENCE, () -> publisher.messages().size() == 1);
      Await.until(
          "the other is parked",
          PATIENCE,
          () -> database.text("SELECT p.error FROM {schema}.outledger_parked p").contains("OUT-"));
    }
    assertThat(database.text("SELECT p.error FROM {schema}.outledger_parked p"))
        .startsWith("OUT-014 the row cannot be read: its time");
  }

  Connection lax() throws SQLException {
    Connection connection = database.connect();
    Sql.in(database.tables(), connection, "SET SESSION sql_mode = 'ALLOW_INVALID_DATES'").update();
    return connection;
  }

  void insert(Connection connection, String time) throws SQLException {
    Sql.in(
            database.tables(),
            connection,
            """
            INSERT INTO {schema}.outledger_message
                   (gate, id, topic, message_key, type, version, payload, headers, time)
            VALUES (0, ?, 'orders', NULL, 'order.placed', 1, '', NULL, '%s')\
            """
                .formatted(time),
            UUID.randomUUID())
        .update();
  }
}
