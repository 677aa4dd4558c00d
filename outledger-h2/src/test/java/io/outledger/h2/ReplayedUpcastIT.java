// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.sql.Sql;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What older builds have written reaches a handler as today's event, also when it is replayed. */
class ReplayedUpcastIT {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String MOVED = "moved: ";

  record Priced(String text) {}

  record Moved(String text) {}

  private final TestH2 database = TestH2.create();
  private final Queue<Object> handled = new ConcurrentLinkedQueue<>();
  private final Outledger outledger =
      Outledger.builder(database.dataSource())
          .withoutRetention()
          .serializer(new Texts())
          .events(
              types ->
                  types
                      .register(
                          Priced.class,
                          type ->
                              type.name("order.priced")
                                  .version(3)
                                  .topic("orders")
                                  .keyless()
                                  .upcast(1, 2, StringBuilder.class, text -> text.append("00"))
                                  .upcast(2, 3, StringBuilder.class, text -> text.append(" EUR"))
                                  .splitFrom(
                                      "order.changed", 1, 2, StringBuilder.class, this::priced))
                      .register(
                          Moved.class,
                          type ->
                              type.name("order.moved")
                                  .topic("orders")
                                  .keyless()
                                  .splitFrom(
                                      "order.changed", 1, 1, StringBuilder.class, this::moved)))
          .build();

  private @Nullable StringBuilder priced(StringBuilder text) {
    return text.indexOf(MOVED) == 0 ? null : text;
  }

  private @Nullable StringBuilder moved(StringBuilder text) {
    return text.indexOf(MOVED) == 0 ? text.delete(0, MOVED.length()) : null;
  }

  @AfterEach
  void close() throws SQLException {
    outledger.close();
    database.close();
  }

  @Test
  void olderMessagesAreHandledAgainAsTheyWereTheFirstTime() {
    append(Message.to("orders", "order.priced").version(1), "5");
    append(Message.to("orders", "order.priced").version(2), "600");
    append(Message.to("orders", "order.changed"), "700");
    append(Message.to("orders", "order.changed"), MOVED + "Main Street");
    outledger.outbox().inNewTransaction(new Priced("800 EUR"));
    Object[] today = {
      new Priced("500 EUR"),
      new Priced("600 EUR"),
      new Priced("700 EUR"),
      new Moved("Main Street"),
      new Priced("800 EUR")
    };
    try (RunningRelay relay = relay()) {
      awaitHandled(relay, today.length);
      assertThat(handled).containsExactlyInAnyOrder(today);
      handled.clear();
      replay(ReplayRange.ALL);
      awaitHandled(relay, today.length);
      assertThat(handled).containsExactlyInAnyOrder(today);
      handled.clear();
      replay(ReplayRange.ALL.withType("order.changed")); // the name that they have in the ledger
      awaitHandled(relay, 2);
      assertThat(handled)
          .containsExactlyInAnyOrder(new Priced("700 EUR"), new Moved("Main Street"));
    }
  }

  private RunningRelay relay() {
    return outledger
        .relay("app")
        .handler(
            "mail",
            handlers ->
                handlers
                    .on(Priced.class, (priced, context) -> handled.add(priced))
                    .on(Moved.class, (moved, context) -> handled.add(moved)))
        .start();
  }

  private void append(Message.Builder message, String text) {
    outledger.outbox().inNewTransaction(message.payload(text.getBytes(UTF_8)).build());
  }

  private void replay(ReplayRange range) {
    Request replay =
        new Verb.Replay("app", "mail", range, Pace.UNLIMITED, true)
            .by("anna", "the mails were lost");
    Await.until(
        () -> "the end of the replay: " + outledger.requests().ask(replay),
        PATIENCE,
        () -> outledger.requests().ask(replay).state() == RequestState.DONE);
  }

  private void awaitHandled(RunningRelay relay, int events) {
    Await.until(
        () -> handled.size() + " are handled; the relay is " + relay.state(),
        PATIENCE,
        () -> handled.size() >= events && pending() == 0);
  }

  /** How many are not settled: a replay takes up what is. */
  private long pending() {
    try (Connection connection = database.connect()) {
      return Sql.of(connection, "SELECT COUNT(*) FROM outledger_pending WHERE subscription = 'app'")
          .number();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Texts as payloads, which an upcast changes as {@link StringBuilder}s. */
  private static final class Texts implements PayloadSerializer {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public void checkTree(Class<?> tree) {}

    @Override
    public byte[] write(Object event) {
      String text = event instanceof Priced priced ? priced.text() : ((Moved) event).text();
      return text.getBytes(UTF_8);
    }

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(payload, type);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
      String text = new String(payload, UTF_8);
      return type.cast(type == Priced.class ? new Priced(text) : new Moved(text));
    }

    @Override
    public <T> Optional<byte[]> rewrite(
        byte[] payload, Class<T> tree, Function<? super T, ? extends @Nullable T> change) {
      StringBuilder text = new StringBuilder(new String(payload, UTF_8));
      T changed = change.apply(tree.cast(text));
      return Optional.ofNullable(changed).map(now -> now.toString().getBytes(UTF_8));
    }
  }
}
