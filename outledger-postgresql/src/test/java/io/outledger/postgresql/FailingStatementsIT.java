// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Statements that fail for one message as if the server were not well, or not set up. */
class FailingStatementsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String HARMED = "harmed";

  private final TestDatabase database = TestDatabase.create();
  private final Outledger outledger = Outledger.builder(database.dataSource()).build();
  private final List<RelayEvent> told = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    outledger.close();
  }

  private void append(String key) {
    outledger.outbox().inNewTransaction(Message.to("orders", "placed").key(key).build());
  }

  /** Outledger's own statement meets it, as if Outledger's tables were not there. */
  @Test
  void applicationsTriggerThatMissesATableIsTheHandlersFault() {
    database.execute(
        """
        CREATE FUNCTION misses() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO no_such_table VALUES (1); RETURN NEW; END $$;
        CREATE TRIGGER misses BEFORE INSERT ON outledger_message
          FOR EACH ROW WHEN (NEW.topic = 'audited') EXECUTE FUNCTION misses()\
        """);
    append(HARMED);
    append("other");
    parksAndContinues(
        (connection, key) ->
            outledger
                .outbox()
                .append(
                    connection,
                    Message.to(HARMED.equals(key) ? "audited" : "else", "reply").build()));
    assertThat(told.toString()).contains("no_such_table");
  }

  @Test
  void handlerThatNeedsMoreTemporaryFilesThanItMayHaveIsAtFault() {
    append(HARMED);
    append("other");
    parksAndContinues(
        (connection, key) -> {
          try (Statement work = connection.createStatement()) {
            work.execute("SET LOCAL temp_file_limit = '64kB'; SET LOCAL work_mem = '64kB'");
            if (HARMED.equals(key)) {
              work.execute("SELECT count(*) FROM generate_series(1, 100000)");
            }
          }
        });
    assertThat(told.toString()).contains("temp_file_limit");
  }

  /** What a handler does with a message of a key. */
  private interface Work {
    void on(Connection connection, @Nullable String key) throws SQLException;
  }

  private void parksAndContinues(Work work) {
    List<String> handled = new CopyOnWriteArrayList<>();
    try (Relay relay =
        outledger
            .relay("app")
            .listener(told::add)
            .handler(
                "stock",
                (connection, message) -> {
                  work.on(connection, message.key());
                  handled.add(String.valueOf(message.key()));
                })
            .build()) {
      Await.until(
          () -> "one is parked and the other handled; " + told,
          PATIENCE,
          () -> {
            relay.step();
            return handled.contains("other")
                && told.stream().anyMatch(RelayEvent.Parked.class::isInstance);
          });
    }
    assertThat(told).noneMatch(RelayEvent.OutageBegan.class::isInstance);
    assertThat(handled).doesNotContain(HARMED);
  }
}
