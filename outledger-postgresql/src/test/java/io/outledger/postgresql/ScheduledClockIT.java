// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

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

/**
 * The database's clock is set back an hour, and then forward, while messages wait. Only here can a
 * test move the clock of a database alone; the statements that ask it are alike everywhere.
 */
class ScheduledClockIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Delivery NOW = Delivery.after(Duration.ZERO);

  private final StoreDatabase database = StoreDatabase.create();
  private final MovableClock clock;
  private final RecordingPublisher publisher = new RecordingPublisher();
  private final Outledger outledger =
      Outledger.builder(database.dataSource()).withoutRetention().build();

  ScheduledClockIT() throws SQLException {
    clock = MovableClock.of(database);
    clock.setAhead("1 hour");
  }

  @AfterEach
  void close() {
    outledger.close();
  }

  @Test
  void whatWaitsIsAnHourLateAndNothingIsDeliveredTwice() throws SQLException {
    try (RunningRelay relay = relay()) {
      schedule("before", NOW);
      schedule("late", Delivery.after(Duration.ofMinutes(10)));
      awaitPublished(relay, "before");
      clock.setAhead("0");
      schedule("back", NOW);
      awaitPublished(relay, "before", "back");
      clock.setAhead("59 minutes"); // a minute less than when it was scheduled
      schedule("again", NOW);
      awaitPublished(relay, "before", "back", "again");
      clock.setAhead("71 minutes");
      awaitPublished(relay, "before", "back", "again", "late");
      schedule("end", NOW);
      awaitPublished(relay, "before", "back", "again", "late", "end");
    }
    assertThat(database.number("SELECT count(*) FROM outledger_scheduled")).isZero();
    assertThat(database.number("SELECT count(*) FROM outledger_message")).isEqualTo(5);
  }

  @Test
  void leaseOfADeadMoverEndsThoughItsTimeIsAnHourAhead() throws SQLException {
    database.execute(
        "INSERT INTO outledger_mover (one, holder, lease_until)"
            + " VALUES (true, gen_random_uuid(), clock_timestamp() + interval '10 seconds')");
    clock.setAhead("0");
    schedule("a", NOW);
    try (RunningRelay relay = relay()) {
      awaitPublished(relay, "a");
    }
  }

  private RunningRelay relay() {
    return outledger.relay("kafka").to(publisher).start();
  }

  private void schedule(String key, Delivery when) {
    Message message = Message.to("orders", "order.placed").key(key).build();
    outledger.outbox().inNewTransaction(message, when);
  }

  private void awaitPublished(RunningRelay relay, String... keys) {
    Await.until(
        () -> published() + "; the relay is " + relay.state(),
        PATIENCE,
        () -> published().size() >= keys.length);
    assertThat(published()).containsExactly(keys);
  }

  private List<String> published() {
    return publisher.messages().stream().map(each -> String.valueOf(each.key())).toList();
  }
}
