// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.jdbc.JdbcOutbox;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.SQLException;
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
          $$ BEGIN IF NEW.key = 'k' THEN RETURN NULL; END IF; RETURN NEW; END $$;
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
}
