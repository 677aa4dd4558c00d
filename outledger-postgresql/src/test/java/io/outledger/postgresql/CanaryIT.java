// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What a message carries, and how the database is entered, is in no log line and no exception. A
 * relay's line about a message names its key, so that lines join up, and nothing else of it.
 */
class CanaryIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String PAYLOAD = "CANARY-payload";
  private static final String HEADER = "CANARY-header";
  private static final String KEY = "CANARY-key";
  private static final String PASSWORD = "CANARY-password";

  private final TestDatabase database = TestDatabase.create();
  private final List<String> told = new ArrayList<>();

  private static Message.Builder canary(int version) {
    return Message.to("orders", "order.placed")
        .key(KEY)
        .version(version)
        .header("tenant", HEADER)
        .payload(PAYLOAD.getBytes(UTF_8));
  }

  @Test
  void failuresOfTheWriteSideTellNothing() throws Exception {
    database.execute("ALTER TABLE outledger_message ADD CHECK (version < 5)");
    CapturedLog.start();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      byte[] large = PAYLOAD.repeat(100_000).getBytes(UTF_8);
      fails(() -> outledger.outbox().inNewTransaction(canary(5).build()));
      fails(() -> outledger.outbox().inNewTransaction(canary(1).payload(large).build()));
      fails(
          () -> outledger.outbox().inNewTransaction(canary(1).header("a", HEADER + "\n").build()));
      fails(() -> outledger.outbox().inNewTransaction(canary(1).key(KEY + "\0").build()));
    }
    for (PGSimpleDataSource source : List.of(wrongPassword(), unreachable())) {
      fails(() -> Outledger.builder(source).build());
      fails(() -> store(source).look());
    }
    told.add(CapturedLog.stop());
    assertThat(told).hasSize(9);
    nothingIsTold(PAYLOAD, HEADER, KEY, PASSWORD);
  }

  @Test
  void failuresOfARelayTellNothing() throws Exception {
    database.execute("ALTER TABLE outledger_parked ADD CHECK (version < 7)");
    RecordingPublisher publisher = new RecordingPublisher(KeyOrder.PIPELINED, Runnable::run);
    publisher.rejectWhen(
        message -> true, new Outcome.Rejected("not wanted", Outcome.Rejected.Kind.DEFINITE));
    Queue<RelayEvent> events = new ConcurrentLinkedQueue<>();
    CapturedLog.start();
    try (Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      outledger.outbox().inNewTransaction(canary(1).build());
      RunningRelay relay =
          outledger
              .relay("app")
              .listener(events::add)
              .to("broker", Accepts.everything(), publisher)
              .handler(
                  "handler",
                  (connection, message) -> {
                    throw new IllegalStateException("the handler failed");
                  })
              .start();
      await(events, RelayEvent.Parked.class, 2, relay);
      outledger.outbox().inNewTransaction(canary(7).build());
      await(events, RelayEvent.StoreFailed.class, 1, relay);
    }
    told.add(CapturedLog.stop());
    events.stream().map(RelayEvent::toString).forEach(told::add);
    told.addAll(database.query("SELECT error FROM outledger_parked"));
    assertThat(told.get(0)).contains("the handler failed", "the database failed");
    nothingIsTold(PAYLOAD, HEADER, PASSWORD);
  }

  private static void await(
      Queue<RelayEvent> events, Class<? extends RelayEvent> type, int count, RunningRelay relay) {
    Await.until(
        () -> count + " events " + type + ", " + relay.state(),
        PATIENCE,
        () -> events.stream().filter(type::isInstance).count() >= count);
  }

  private void fails(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isNotNull();
    told.add(CapturedLog.textOf(failure));
  }

  private void nothingIsTold(String... canaries) {
    for (String canary : canaries) {
      assertThat(told).allSatisfy(text -> assertThat(text).doesNotContain(canary, hex(canary)));
    }
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(UTF_8));
  }

  private PGSimpleDataSource wrongPassword() {
    PGSimpleDataSource source = database.dataSource();
    source.setPassword(PASSWORD);
    return source;
  }

  private PGSimpleDataSource unreachable() {
    PGSimpleDataSource source = database.dataSource(1);
    source.setPassword(PASSWORD);
    return source;
  }

  private static RelayStore store(PGSimpleDataSource source) {
    return new Stores(source).relayStore("app", Start.EARLIEST, StoreDatabase.LEASE);
  }
}
