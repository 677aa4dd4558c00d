// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.event.PayloadSerializer;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.OutledgerBuilder;
import io.outledger.jdbc.RunningRetention;
import io.outledger.relay.Relay;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is removed without anybody having asked for it, and how that is said. */
class DefaultRetentionIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String STARTED =
      "INFO retention removes messages older than 7 days that every subscription is done with,"
          + " and inbox records older than 14 days of this application's consumers, now and every"
          + " 10 minutes";

  private final StoreDatabase database = StoreDatabase.create();

  @BeforeEach
  void listen() {
    CapturedLog.start();
  }

  @AfterEach
  void listenNoMore() {
    CapturedLog.stop();
  }

  @Test
  void startingARelayStartsTheRemovalOfWhatIsOldAndSaysSo() throws Exception {
    appendAndSettle(Duration.ofDays(8));
    try (Outledger outledger = builder().build()) {
      outledger.relay("r").to(new RecordingPublisher()).start();
      assertThat(CapturedLog.has(STARTED)).isTrue();
      Await.until("the old one is removed", PATIENCE, () -> messages() == 0);
    }
    assertThat(CapturedLog.stop().lines().filter(line -> line.startsWith(STARTED))).hasSize(1);
  }

  @Test
  void messagesMayBeKeptForLonger() throws Exception {
    appendAndSettle(Duration.ofDays(8), Duration.ofDays(10));
    try (Outledger outledger = builder().messageRetention(Duration.ofDays(9)).build()) {
      outledger.inbox("c");
      outledger.relay("r").to(new RecordingPublisher()).start();
      Await.until("inbox records are purged, after messages", PATIENCE, () -> inboxRecords() == 0);
    }
    // The younger one stands first: nothing goes before what is below it.
    assertThat(messages()).isEqualTo(2);
  }

  @Test
  void retentionThatIsStartedByHandKeepsMessagesForAsLongAsConfigured() throws Exception {
    appendAndSettle(Duration.ofDays(8));
    try (Outledger outledger = builder().messageRetention(Duration.ofDays(9)).build()) {
      outledger.retention().start();
      Await.until("inbox records are purged, after messages", PATIENCE, () -> inboxRecords() == 0);
    }
    assertThat(messages()).isEqualTo(1);
    try (Outledger outledger = builder().messageRetention(Duration.ofDays(2)).build()) {
      outledger.retention().start();
      Await.until("the old one is removed", PATIENCE, () -> messages() == 0);
    }
  }

  @Test
  void consumersOfAnotherApplicationKeepTheirRecords() throws Exception {
    appendAndSettle(Duration.ofDays(8));
    database.execute(InboxSql.remember("r/mail", new InboxId("s", "1"), "20 days"));
    try (Outledger outledger = builder().build()) {
      outledger.relay("r").handler("mail", (connection, message) -> {}).start();
      Await.until("the handler's own is forgotten", PATIENCE, () -> inboxRecords() == 1);
      assertThat(database.query("SELECT consumer FROM outledger_processed")).containsExactly("c");
    }
  }

  @Test
  void nothingIsRemovedWhereThatIsSwitchedOffOrAnotherIsAskedFor() throws Exception {
    appendAndSettle(Duration.ofDays(8));
    try (Outledger outledger = builder().withoutRetention().build()) {
      outledger.relay("r").to(new RecordingPublisher()).start();
    }
    try (Outledger outledger = builder().build()) {
      outledger.retention().start(Duration.ofDays(30), Duration.ofMinutes(1));
      outledger.relay("r").to(new RecordingPublisher()).start();
    }
    assertThat(CapturedLog.has(STARTED)).isFalse();
    assertThat(messages()).isEqualTo(1);
  }

  @Test
  void aRoleThatMayNotRemoveIsToldOnceWhatToGrant() throws Exception {
    DataSource application =
        DocumentedRights.of("the application (outbox)").grantedIn(database, "app");
    try (Outledger outledger =
        Outledger.builder(application).relayDataSource(database.dataSource()).build()) {
      RunningRetention running =
          outledger.retention().start(Duration.ofDays(7), Duration.ofMillis(1));
      Await.until(
          "it has warned", PATIENCE, () -> CapturedLog.has("retention lacks the rights to remove"));
      long before = attempts();
      Await.until("it has tried again", PATIENCE, () -> attempts() > before + 4);
      running.close();
    }
    List<String> warnings =
        CapturedLog.stop().lines().filter(line -> line.startsWith("WARN retention")).toList();
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0))
        .contains("GRANT USAGE ON SCHEMA \"public\" TO role")
        .contains("GRANT SELECT, DELETE ON \"public\".outledger_message")
        .contains("withoutRetention()");
  }

  @Test
  void aProcessWhoseClockIsWrongRemovesWhatIsOldByTheDatabases() throws Exception {
    appendAndSettle(Duration.ofDays(8), Duration.ofDays(6));
    SettableClock clock = new SettableClock(Instant.parse("2001-02-03T04:05:06Z"));
    try (Outledger outledger = builder().time(clock).build()) {
      outledger.retention().start();
      Await.until("inbox records are purged, after messages", PATIENCE, () -> inboxRecords() == 0);
    }
    assertThat(messages()).isEqualTo(1);
  }

  @Test
  void timeComesThroughTheDoor() throws Exception {
    Instant then = Instant.parse("2001-02-03T04:05:06Z");
    SettableClock clock = new SettableClock(then);
    RecordingPublisher publisher = new RecordingPublisher();
    try (Outledger outledger =
        builder()
            .time(clock)
            .serializer(new NoPayload())
            .events(e -> e.register(String.class, t -> t.name("text").topic("t").keyless()))
            .build()) {
      UUID id = outledger.outbox().inNewTransaction("an event").get(0);
      assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(then.toEpochMilli());
      try (Relay relay = outledger.relay("r").to(publisher).build()) {
        Await.until(
            "it is published",
            PATIENCE,
            () -> {
              clock.advance(Duration.ofMillis(10));
              return relay.step().published() > 0;
            });
      }
      assertThat(number("SELECT count(*) FROM outledger_message WHERE time = '" + then + "'"))
          .isEqualTo(1);
    }
  }

  /** Writes nothing, which is enough for an event without content. */
  private static final class NoPayload implements PayloadSerializer {
    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] write(Object event) {
      return new byte[0];
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(payload, type);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknown) {
      throw new IllegalStateException("nothing is read here");
    }
  }

  private OutledgerBuilder builder() {
    return Outledger.builder(database.dataSource());
  }

  /** Also leaves an inbox record of 20 days. */
  private void appendAndSettle(Duration... ages) throws Exception {
    AtomicLong settled = new AtomicLong();
    try (Outledger outledger = builder().build()) {
      for (Duration age : ages) {
        outledger.outbox().inNewTransaction(Message.to("t", "t").build());
        database.execute(
            "UPDATE outledger_message SET appended_at = now() - interval '%d s' WHERE position ="
                    .formatted(age.toSeconds())
                + " (SELECT max(position) FROM outledger_message)");
      }
      try (Relay relay = outledger.relay("r").to(new RecordingPublisher()).build()) {
        Await.until(
            "all are published",
            PATIENCE,
            () -> settled.addAndGet(relay.step().published()) == ages.length);
      }
    }
    database.execute(InboxSql.remember("c", new InboxId("s", "old"), "20 days"));
  }

  private long messages() {
    return number("SELECT count(*) FROM outledger_message");
  }

  private long inboxRecords() {
    return number("SELECT count(*) FROM outledger_inbox");
  }

  /** How often a purge has failed for want of a right, roughly: each rolls a transaction back. */
  private long attempts() {
    return number("SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()");
  }

  private long number(String sql) {
    try {
      return database.number(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
