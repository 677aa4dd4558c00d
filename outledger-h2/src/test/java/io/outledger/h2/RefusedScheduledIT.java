// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Delivery;
import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.testing.RecordingPublisher;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scheduled messages that the ledger does not take; no process is started again for them. */
class RefusedScheduledIT {

  private final TestH2 database = TestH2.create();
  private final LaterTime time = new LaterTime();
  private final RecordingPublisher publisher = new RecordingPublisher();
  private final Outledger outledger = Outledger.builder(database.dataSource()).time(time).build();

  @AfterEach
  void close() throws SQLException {
    outledger.close();
    database.close();
  }

  @Test
  void oneOfThemHoldsItsKeyAloneUntilItIsCorrected() {
    schedule(List.of("a", "b", "bad", "bad", "c"));
    database.execute(
        "UPDATE outledger_scheduled SET version = 0 WHERE number ="
            + " (SELECT MIN(number) FROM outledger_scheduled WHERE message_key = 'bad')");
    try (RunningRelay relay = outledger.relay("kafka").to(publisher).start()) {
      assertThat(published(relay, 3)).containsExactly("a", "b", "c");
      database.execute("UPDATE outledger_scheduled SET version = 1");
      time.pass(Duration.ofSeconds(31));
      assertThat(published(relay, 5)).endsWith("bad", "bad");
    }
  }

  @Test
  void allOfThemEnterOnceTheLedgerTakesMessagesAgain() {
    database.execute("ALTER TABLE outledger_message ADD CONSTRAINT shut CHECK (version < 0)");
    List<String> keys = List.of("a", "b", "a", "c", "b", "a");
    schedule(keys);
    try (RunningRelay relay = outledger.relay("kafka").to(publisher).start()) {
      Await.until("the mover has met it", Duration.ofSeconds(30), this::hasMover);
      database.execute("ALTER TABLE outledger_message DROP CONSTRAINT shut");
      time.pass(Duration.ofSeconds(31));
      assertThat(published(relay, keys.size())).containsExactlyInAnyOrderElementsOf(keys);
    }
  }

  private boolean hasMover() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM outledger_mover")) {
      row.next();
      return row.getLong(1) > 0;
    }
  }

  private void schedule(List<String> keys) {
    for (String key : keys) {
      Message message = Message.to("orders", "order.placed").key(key).build();
      outledger.outbox().inNewTransaction(message, Delivery.after(Duration.ZERO));
    }
  }

  private List<String> published(RunningRelay relay, int messages) {
    Await.until(
        () -> publisher.messages().size() + " messages; the relay is " + relay.state(),
        Duration.ofMinutes(1),
        () -> publisher.messages().size() >= messages);
    return publisher.messages().stream().map(each -> String.valueOf(each.key())).toList();
  }

  /** The system's clocks, of which time passes more quickly where that is told. */
  private static final class LaterTime implements TimeSource {

    private final TimeSource system = TimeSource.system();
    private final AtomicLong passed = new AtomicLong();

    void pass(Duration time) {
      passed.addAndGet(time.toNanos());
    }

    @Override
    public Instant now() {
      return system.now().plusNanos(passed.get());
    }

    @Override
    public long nanoTime() {
      return system.nanoTime() + passed.get();
    }
  }
}
