// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.testing.RecordingPublisher;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A scheduled message that the ledger does not take, as somebody has changed its row by hand. */
class RefusedScheduledIT {

  private final TestH2 database = TestH2.create();

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void holdsItsKeyAloneUntilItIsCorrected() {
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      for (String key : List.of("a", "b", "bad", "bad", "c")) {
        Message message = Message.to("orders", "order.placed").key(key).build();
        outledger.outbox().inNewTransaction(message, Delivery.after(Duration.ZERO));
      }
    }
    database.execute(
        "UPDATE outledger_scheduled SET version = 0 WHERE number ="
            + " (SELECT MIN(number) FROM outledger_scheduled WHERE message_key = 'bad')");
    assertThat(published(3)).containsExactly("a", "b", "c");
    database.execute("UPDATE outledger_scheduled SET version = 1");
    assertThat(published(2)).containsExactly("bad", "bad");
  }

  private List<String> published(int messages) {
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build();
        RunningRelay relay = outledger.relay("kafka").to(publisher).start()) {
      Await.until(
          () -> publisher.messages().size() + " messages; the relay is " + relay.state(),
          Duration.ofMinutes(1),
          () -> publisher.messages().size() >= messages);
    }
    return publisher.messages().stream().map(each -> String.valueOf(each.key())).toList();
  }
}
