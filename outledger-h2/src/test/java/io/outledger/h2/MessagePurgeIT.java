// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.jdbc.sql.MessagePurge;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A purge is as long as what it removes, and not as the numbers between. */
final class MessagePurgeIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  private final MessagePurge purge = new MessagePurge(new Tables(Tables.DEFAULT_SCHEMA), 10);

  @Test
  void numbersThatNobodyUsedArePassedOverAtOnce() throws SQLException {
    RecordingPublisher publisher = new RecordingPublisher();
    try (TestH2 database = TestH2.create();
        Outledger outledger = Outledger.builder(database.dataSource()).build();
        RunningRelay relay = outledger.relay("s").to(publisher).start()) {
      outledger.outbox().inNewTransaction(Message.to("orders", "placed").key("a").build());
      database.execute("ALTER SEQUENCE outledger_message_position RESTART WITH 1000000000000");
      outledger.outbox().inNewTransaction(Message.to("orders", "placed").key("b").build());
      Await.until("both are published", SOON, () -> publisher.arrivals().size() == 2);
      assertThat(relay).isNotNull();
      Await.until("both are removed by three steps", SOON, () -> removed(database) == 2);
    }
  }

  private long removed(TestH2 database) throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      long removed = 0;
      Step step = Step.NONE;
      for (int n = 0; n < 3 && (n == 0 || step.more()); n++) {
        step = purge.step(connection, Duration.ZERO, step);
        removed += step.removed();
      }
      connection.rollback();
      return removed;
    }
  }
}
