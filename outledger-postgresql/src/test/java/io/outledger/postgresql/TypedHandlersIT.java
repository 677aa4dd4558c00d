// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.event.PayloadSerializer;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.relay.Relay;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.Transforms;
import io.outledger.servers.Await;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Handlers that are given events, and what they never see. */
class TypedHandlersIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final String SETTLED =
      """
      SELECT (SELECT max(high) FROM outledger_subscription)
               >= (SELECT max(position) FROM outledger_message)
         AND NOT EXISTS (SELECT FROM outledger_pending)
      """;

  record Placed(String orderId) {}

  record Cancelled(String orderId) {}

  record MailWanted(String orderId) {}

  /** Orders by their id. */
  private static final class Text implements PayloadSerializer {
    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] write(Object event) {
      return event.toString().replaceAll(".*=|\\]", "").getBytes(UTF_8);
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(payload, type);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknown) {
      return type.cast(new Placed(new String(payload, UTF_8)));
    }
  }

  /** Counts the connections that an application's transactions take. */
  private static final class Counted extends PGSimpleDataSource {

    private static final long serialVersionUID = 1L;

    private final AtomicInteger taken = new AtomicInteger();

    @Override
    public Connection getConnection() throws SQLException {
      taken.incrementAndGet();
      return super.getConnection();
    }
  }

  private final TestDatabase database = TestDatabase.create();
  private final Counted application = database.configured(new Counted(), port());
  private final Queue<String> handled = new ConcurrentLinkedQueue<>();

  private static int port() {
    return Postgres.shared().port();
  }

  private Outledger outledger() {
    return Outledger.builder(application)
        .relayDataSource(database.dataSource())
        .serializer(new Text())
        .events(
            e ->
                e.register(Placed.class, t -> t.name("placed").topic("o").key(Placed::orderId))
                    .register(
                        Cancelled.class,
                        t -> t.name("cancelled").topic("o").key(Cancelled::orderId))
                    .register(
                        MailWanted.class, t -> t.name("mail").topic("m").key(MailWanted::orderId)))
        .build();
  }

  @Test
  void aHandlerIsGivenTheEventAndAnOutboxInTheTransactionOfItsInboxRow() {
    try (Outledger outledger = outledger()) {
      Message message =
          outledger.events().message(new Placed("o-1")).copy().header("h", "v").build();
      outledger.outbox().inNewTransaction(message);
      run(
          outledger
              .relay("app")
              .handler(
                  "mail",
                  h ->
                      h.on(
                          Placed.class,
                          (placed, context) -> {
                            context.outbox().append(new MailWanted(placed.orderId()));
                            handled.add(
                                placed.orderId()
                                    + context.key()
                                    + context.headers().get("h")
                                    + context.message().id()
                                    + context.connection().getAutoCommit());
                            assertThat(context.position()).hasValue(1);
                            assertThat(context.attempt()).hasValue(1);
                          })));
      assertThat(handled).containsExactly("o-1o-1v" + message.id() + "false");
      assertThat(database.query("SELECT type FROM outledger_message ORDER BY position"))
          .containsExactly("placed", "mail");
      assertThat(database.count("outledger_inbox")).isEqualTo(1);
    }
  }

  @Test
  void aCheckedExceptionIsAFailureLikeAnyOtherAndTheNextAttemptKnowsItsNumber() {
    Backoff soon = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
    try (Outledger outledger = outledger()) {
      outledger.outbox().inNewTransaction(new Placed("o-1"));
      run(
          outledger
              .relay("app")
              .options(o -> o.retry(RetryPolicy.DEFAULT.withBackoff(soon)))
              .handler(
                  "mail",
                  h ->
                      h.on(
                          Placed.class,
                          (placed, context) -> {
                            int attempt = context.attempt().orElseThrow();
                            handled.add("attempt " + attempt);
                            if (attempt < 3) {
                              throw new IOException("the mail server hung up");
                            }
                          })));
      assertThat(handled).containsExactly("attempt 1", "attempt 2", "attempt 3");
    }
  }

  @Test
  void whatAHandlerDoesNotNameCostsNoTransactionAndNoInboxRow() {
    try (Outledger outledger = outledger()) {
      outledger
          .outbox()
          .inNewTransaction(
              new Cancelled("o-1"), foreign("shipped").build(), foreign("shipped").build());
      int before = application.taken.get();
      run(outledger.relay("app").handler("mail", h -> h.on(Placed.class, (p, c) -> {})));
      assertThat(application.taken.get()).isEqualTo(before);
      assertThat(database.count("outledger_inbox")).isZero();
      assertThat(database.count("outledger_parked")).isZero();
      assertThat(outledger.passedOver()).isEqualTo(Map.of("app/mail: shipped v1", 2L));
    }
  }

  @Test
  void aHandlerIsGivenWhatTheTransformsMakeOfAMessageThatItDoesNotName() {
    try (Outledger outledger = outledger()) {
      outledger.outbox().inNewTransaction(new Cancelled("o-1"));
      run(
          outledger
              .relay("app")
              .options(o -> o.transforms(Transforms.NONE.withMap(TypedHandlersIT::asPlaced)))
              .handler("mail", h -> h.on(Placed.class, (p, c) -> handled.add(p.orderId()))));
      assertThat(handled).containsExactly("o-1");
    }
  }

  private static Message asPlaced(Message message) {
    return Message.to("o", "placed")
        .id(message.id())
        .key(String.valueOf(message.key()))
        .payload(message.payload())
        .build();
  }

  @Test
  void aTypeThatIsNotRegisteredFailsOnRequest() {
    try (Outledger outledger = outledger()) {
      outledger.outbox().inNewTransaction(foreign("shipped").build());
      run(
          outledger
              .relay("app")
              .handler("mail", h -> h.on(Placed.class, (p, c) -> {}).refuseUnregistered()),
          "SELECT EXISTS (SELECT 1 FROM outledger_parked WHERE state || error LIKE"
              + " 'retrying%OUT-011%')");
      assertThat(outledger.passedOver()).isEmpty();
    }
  }

  @Test
  void aHandlerRemembersOnlyWhatConcernsIt() throws Exception {
    try (Outledger outledger = outledger()) {
      BatchHandler handler =
          outledger
              .inbox("stock")
              .handler(h -> h.on(Placed.class, (placed, c) -> handled.add(placed.orderId())));
      handler.handle(List.of(received("0", "cancelled"))); // looks for parked messages, once
      int before = application.taken.get();
      handler.handle(List.of(received("1", "cancelled"), received("2", "shipped")));
      // One look at what other members have declared.
      assertThat(application.taken.get()).isEqualTo(before + 1);
      List<Received> batch =
          List.of(received("3", "placed"), received("4", "shipped"), received("5", "placed"));
      handler.handle(batch);
      handler.handle(batch);
      assertThat(handled).containsExactly("3", "5");
      assertThat(InboxSql.remembered(database, "stock", idsOf(batch))).containsExactly("3", "5");
      assertThat(outledger.passedOver()).isEqualTo(Map.of("stock: shipped v1", 3L));
    }
  }

  @Test
  void aBatchThatFailsSaysHowManyOfItAreDoneWhateverConcernedIt() {
    try (Outledger outledger = outledger()) {
      BatchHandler handler =
          outledger
              .inbox("stock")
              .handler(
                  r ->
                      r.on(
                          Placed.class,
                          (placed, context) -> {
                            assertThat(context.position()).isEmpty();
                            assertThat(context.attempt()).isEmpty();
                            if (placed.orderId().equals("4")) {
                              throw new IllegalStateException("not now");
                            }
                          }));
      List<Received> batch =
          List.of(
              received("1", "cancelled"),
              received("2", "placed"),
              received("3", "shipped"),
              received("4", "placed"));
      assertThatThrownBy(() -> handler.handle(batch))
          .isInstanceOfSatisfying(
              ReceiveFailedException.class, e -> assertThat(e.done()).isEqualTo(3));
      assertThat(InboxSql.remembered(database, "stock", idsOf(batch))).containsExactly("2");
    }
  }

  /** However often its delivery fails before. */
  @Test
  void whatIsPassedOverCountsOnceWhenItsDeliveryIsDone() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    try (Outledger outledger = outledger()) {
      BatchHandler handler =
          outledger
              .inbox("stock")
              .handler(
                  h ->
                      h.on(
                          Placed.class,
                          (placed, c) -> {
                            if (fails.get()) {
                              throw new IllegalStateException("not now");
                            }
                          }));
      ReceiverStore store = ((ParkingHandler) handler).store();
      List<Received> batch = List.of(received("1", "placed"), received("2", "shipped"));
      for (int time = 0; time < 3; time++) {
        assertThatThrownBy(() -> store.process(batch, 100)).hasMessage("not now");
        assertThatThrownBy(() -> handler.handle(batch)).isInstanceOf(ReceiveFailedException.class);
      }
      assertThat(outledger.passedOver()).isEmpty();
      fails.set(false);
      store.process(batch, 100);
      assertThat(outledger.passedOver()).isEqualTo(Map.of("stock: shipped v1", 1L));
      handler.handle(batch);
      store.process(List.of(received("3", "shipped")), 100);
      assertThat(outledger.passedOver()).isEqualTo(Map.of("stock: shipped v1", 3L));
    }
  }

  private static Message.Builder foreign(String type) {
    return Message.to("elsewhere", type);
  }

  private static Received received(String id, String type) {
    return new Received(
        "/orders", id, "o", "k", type, 1, id.getBytes(UTF_8), Map.of(), null, "o", "");
  }

  private static List<InboxId> idsOf(List<Received> messages) {
    return messages.stream().map(Received::inboxId).toList();
  }

  /** Steps a relay until everything there is was handled, passed over or parked. */
  private void run(RelayBuilder builder) {
    run(builder, SETTLED);
  }

  private void run(RelayBuilder builder, String until) {
    try (Relay relay = builder.build()) {
      Await.until(
          "all is settled",
          PATIENCE,
          () -> {
            relay.step();
            return database.query(until).equals(List.of("t"));
          });
    }
  }
}
