// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.Relay;
import io.outledger.store.Start;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An append whose rows a trigger drops does not look like one that was made. */
class DroppedRowsIT {

  private static final Message DROPPED = Message.to("orders", "placed").key("k").build();
  private static final Message KEPT = Message.to("orders", "placed").key("other").build();

  @Test
  void appendThatATriggerDropsFails() throws SQLException {
    TestDatabase database = TestDatabase.create();
    database.execute(
        """
        CREATE FUNCTION drops() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN IF NEW.message_key = 'k' THEN RETURN NULL; END IF; RETURN NEW; END $$;
        CREATE TRIGGER drops BEFORE INSERT ON outledger_message
          FOR EACH ROW EXECUTE FUNCTION drops()\
        """);
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        Connection connection = database.begin()) {
      JdbcOutbox outbox = outledger.outbox();
      outbox.append(connection, KEPT);
      assertThatThrownBy(() -> outbox.append(connection, DROPPED))
          .hasMessageContainingAll("OUT-008", "trigger", "1 of 1");
      assertThatThrownBy(() -> outbox.append(connection, KEPT, DROPPED))
          .hasMessageContainingAll("OUT-008", "trigger", "1 of 2");
      connection.rollback();
    }
    assertThat(database.count("outledger_message")).isZero();
  }

  @Test
  void moveWhoseRowATriggerDropsFailsAndBlamesNoConnection() throws Exception {
    TestDatabase database = TestDatabase.create();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      outledger.outbox().inNewTransaction(KEPT);
      try (Relay relay = outledger.relay("app").handler("none", (c, message) -> {}).build()) {
        relay.drain(Duration.ofMinutes(1));
      }
      database.execute(
          """
          CREATE FUNCTION drops() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RETURN NULL; END $$;
          CREATE TRIGGER drops BEFORE INSERT ON outledger_cursor
            FOR EACH ROW EXECUTE FUNCTION drops()\
          """);

      assertThatThrownBy(() -> outledger.subscriptions().move("app", Start.EARLIEST))
          .hasMessageContainingAll("OUT-027", "refused", "trigger", "subscription app")
          .hasMessageNotContaining("unreachable");
    }
  }
}
