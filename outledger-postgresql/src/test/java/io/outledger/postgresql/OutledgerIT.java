// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.OutledgerBuilder;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.relay.DrainReport;
import io.outledger.relay.Relay;
import io.outledger.relay.handler.MessageHandler;
import io.outledger.relay.handler.PositionedHandler;
import io.outledger.relay.options.Accepts;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class OutledgerIT {

  record Placed(String orderId, int cents) {}

  /** Enough of a serializer for one event. */
  private static final class PlacedText implements PayloadSerializer {
    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] write(Object event) {
      Placed placed = (Placed) event;
      return (placed.orderId() + " " + placed.cents()).getBytes(UTF_8);
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(payload, type);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknown) {
      String[] parts = new String(payload, UTF_8).split(" ", 2);
      return type.cast(new Placed(parts[0], Integer.parseInt(parts[1])));
    }
  }

  private static OutledgerBuilder builder(javax.sql.DataSource source) {
    return Outledger.builder(source)
        .events(
            events ->
                events.register(
                    Placed.class,
                    type ->
                        type.name("order.placed").version(2).topic("orders").key(Placed::orderId)))
        .serializer(new PlacedText());
  }

  private static void insert(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  @Test
  void anEventTakesEffectInAHandlerOnceWithAnApplicationPoolOfOne() throws Exception {
    TestDatabase database = TestDatabase.create();
    database.execute("CREATE TABLE effect (id text)");
    Map<String, Integer> failures = new ConcurrentHashMap<>();
    try (PoolOfOne pool = new PoolOfOne(database.dataSource());
        Outledger outledger = builder(pool).relayDataSource(database.dataSource()).build()) {
      outledger
          .relay("app")
          .options(o -> o.lease(Duration.ofSeconds(2)))
          .handler(
              "stock",
              (connection, message) -> {
                Placed placed = (Placed) outledger.events().read(message);
                insert(connection, "stock " + placed.orderId());
                if (placed.orderId().equals("o-3") && failures.merge("o-3", 1, Integer::sum) < 2) {
                  throw new IllegalStateException("the first time always fails");
                }
              })
          .handler("mail", (connection, message) -> insert(connection, "mail " + message.key()))
          .start();
      for (int i = 0; i < 10; i++) {
        Placed placed = new Placed("o-" + i, 100);
        outledger.transactions().run(c -> outledger.outbox().append(c, placed));
      }
      Await.until(
          () -> "20 effects: " + database.query("SELECT id FROM effect"),
          Duration.ofSeconds(30),
          () -> database.count("effect") >= 20);
    }
    assertThat(database.query("SELECT id FROM effect")).hasSize(20).doesNotHaveDuplicates();
    assertThat(failures).containsEntry("o-3", 2);
    assertThat(database.count("outledger_inbox")).isEqualTo(20);
  }

  @Test
  void theSameMessageHandledTwiceTakesEffectOnce() throws Exception {
    TestDatabase database = TestDatabase.create();
    database.execute("CREATE TABLE effect (id text)");
    try (Outledger outledger = builder(database.dataSource()).build()) {
      Message message = Message.to("orders", "order.placed").key("o-1").build();
      PositionedHandler handler =
          outledger
              .inbox("app/stock")
              .handler("app", (connection, m) -> insert(connection, m.topic()));
      handler.handle(7, 1, message);
      handler.handle(7, 1, message);
      assertThatThrownBy(
              () ->
                  outledger
                      .inbox("app/mail")
                      .handler(
                          "app",
                          (connection, m) -> {
                            insert(connection, m.topic());
                            throw new IllegalStateException("no");
                          })
                      .handle(7, 1, message))
          .hasMessage("no");
    }
    assertThat(database.query("SELECT id FROM effect")).containsExactly("orders");
    assertThat(database.count("outledger_inbox")).isEqualTo(1);
  }

  @Test
  void aRelayThatIsDrainedHandsOnWhatIsPendingInOrder() throws Exception {
    TestDatabase database = TestDatabase.create();
    List<String> handled = Collections.synchronizedList(new ArrayList<>());
    try (Outledger outledger = builder(database.dataSource()).build()) {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        ids.addAll(
            outledger.outbox().inNewTransaction(new Placed("o-1", i)).stream()
                .map(Object::toString)
                .toList());
      }
      MessageHandler handler = message -> handled.add(message.id().toString());
      try (Relay relay = outledger.relay("batch").handlerWithoutTransaction("h", handler).build()) {
        DrainReport report = relay.drain(Duration.ofSeconds(30));
        assertThat(report.toString()).isNotEmpty();
      }
      assertThat(handled).containsExactlyElementsOf(ids);
      assertThat(outledger.admin().subscriptions()).hasSize(1);
      assertThat(outledger.retention().purgedTo()).isZero();
      assertThat(outledger.parkedMessages("batch").retryAll()).isZero();
      outledger.schema().check(database.dataSource());
    }
  }

  @Test
  void aDatabaseWithoutTheSchemaIsRefusedAtTheStart() {
    TestDatabase empty = TestDatabase.empty();
    assertCode(() -> builder(empty.dataSource()).build(), ErrorCode.SCHEMA_MISSING);
    TestDatabase database = TestDatabase.create();
    assertCode(
        () -> builder(database.dataSource()).schema("elsewhere").build(), ErrorCode.SCHEMA_MISSING);
  }

  @Test
  void anotherSchemaIsUsedThroughout() throws Exception {
    TestDatabase database = TestDatabase.empty();
    PostgreSql.schema("Mixed_Case").apply(database.dataSource());
    try (Outledger outledger = builder(database.dataSource()).schema("Mixed_Case").build()) {
      outledger.outbox().inNewTransaction(new Placed("o-1", 1));
      PositionedHandler handler =
          outledger.inbox("c").handler("s", (connection, message) -> connection.getMetaData());
      handler.handle(1, 1, Message.to("a", "b").build());
    }
    assertThat(database.count("\"Mixed_Case\".outledger_message")).isEqualTo(1);
    assertThat(database.count("\"Mixed_Case\".outledger_inbox")).isEqualTo(1);
  }

  @Test
  void aDatabaseThatCannotHoldEveryTextIsRefused() {
    String name = "ascii_" + Postgres.shared().createDatabase();
    TestDatabase admin = TestDatabase.empty();
    admin.execute(
        "CREATE DATABASE " + name + " ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0");
    var source = admin.dataSource();
    source.setDatabaseName(name);
    assertCode(() -> builder(source).build(), ErrorCode.UNSUPPORTED_DATABASE);
  }

  @Test
  void whatCannotWorkIsRefusedBeforeItStarts() {
    TestDatabase database = TestDatabase.create();
    var source = database.dataSource();
    assertCode(() -> builder(source).schema("x; DROP").build(), ErrorCode.INVALID_NAME);
    assertCode(
        () -> builder(source).inboxRetention(Duration.ZERO).build(), ErrorCode.RETENTION_TOO_SHORT);
    try (Outledger outledger = builder(source).inboxRetention(Duration.ofSeconds(1)).build()) {
      assertCode(() -> outledger.relay("r").build(), ErrorCode.INVALID_CONFIGURATION);
      assertCode(
          () -> outledger.relay("r").handler("h", (connection, message) -> {}).build(),
          ErrorCode.RETENTION_TOO_SHORT);
      assertCode(() -> outledger.inbox(" "), ErrorCode.INVALID_NAME);
      assertCode(
          () -> outledger.inbox("a").covers(Duration.ofDays(7)), ErrorCode.RETENTION_TOO_SHORT);
      MessageHandler handler = message -> {};
      assertCode(
          () ->
              outledger
                  .relay("r")
                  .handlerWithoutTransaction("h", handler)
                  .handlerWithoutTransaction("h", handler)
                  .build(),
          ErrorCode.INVALID_CONFIGURATION);
    }
  }

  @Test
  void everyProblemOfASetUpIsListedAtOnce() {
    var source = TestDatabase.create().dataSource();
    OutledgerBuilder wrong =
        Outledger.builder(source)
            .events(e -> e.register(String.class, type -> type.name("text").topic("t")))
            .payloadBytesMax(-1)
            .inboxRetention(Duration.ZERO)
            .messageRetention(Duration.ofDays(-1))
            .retentionBatch(0)
            .instance("a ");
    assertThatThrownBy(wrong::build)
        .hasMessageStartingWith("OUT-021 ")
        .hasMessageContainingAll(
            "java.lang.String: call either key(…) or keyless()",
            "event types are registered, but no serializer is configured",
            "payloadBytesMax is -1",
            "OUT-018 the inbox's retention is 0 s",
            "messageRetention is PT-24H",
            "retentionBatch is 0 but must be 1 to 1000000",
            "OUT-006 the name of the instance is");
    try (Outledger outledger = builder(source).inboxRetention(Duration.ofSeconds(1)).build()) {
      MessageHandler handler = message -> {};
      RelayBuilder relay =
          outledger
              .relay("r")
              .handler("once", (connection, message) -> {})
              .handlerWithoutTransaction("twice", handler)
              .to("twice", Accepts.everything(), new RecordingPublisher())
              .to(new RecordingPublisher())
              .to(new RecordingPublisher())
              .options(o -> o.window(w -> w.withMessages(0)))
              .handlerThreads(0)
              .handOverMax(Duration.ofMillis(-1));
      assertThatThrownBy(relay::build)
          .hasMessageStartingWith("OUT-021 the relay of subscription \"r\": ")
          .hasMessageContainingAll(
              "relay options: window.messages is 0 but must be 1 or more",
              "handlerThreads is 0",
              "handOverMax is -1 ms",
              "the name \"twice\" is used for two routes or handlers",
              "to(publisher) is called twice");
      assertThatThrownBy(relay.options(o -> o.window(w -> w.withMessages(1)))::start)
          .hasMessageContainingAll("handlerThreads is 0", "OUT-018 the inbox forgets ids after");
    }
  }

  private static void assertCode(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            OutledgerException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
