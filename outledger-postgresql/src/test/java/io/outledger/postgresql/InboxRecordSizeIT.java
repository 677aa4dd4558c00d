// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What docs/inbox.md and docs/storage.md say of a record's size. */
class InboxRecordSizeIT {

  private final StoreDatabase database = StoreDatabase.create();

  @Test
  void recordHasTwentyFourBytesOfDataAndFortyEightWithTheServersHeader() throws SQLException {
    Message message = Message.to("orders", "order.placed").build();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      JdbcInbox inbox = outledger.inbox("a-consumer-with-a-long-name");
      for (Received each :
          new Received[] {
            Received.ofLedger("a-subscription", 4_711, message),
            Received.of("https://shop.example/a/long/source", message)
          }) {
        outledger.transactions().run(connection -> inbox.process(connection, each, () -> {}));
      }
    }
    assertThat(
            database.query(
                """
                SELECT pg_column_size(processed_minute) + pg_column_size(consumer_no)
                         + pg_column_size(message_hash), pg_column_size(i.*)
                  FROM outledger_inbox i\
                """))
        .containsExactly("24|48", "24|48");
  }
}
