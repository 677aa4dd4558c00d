// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.event.EventHandlers;
import io.outledger.event.EventTypes;
import io.outledger.event.PayloadSerializer;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.spi.SqlValues;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Old and new versions of an application on one database, in either order: what commits after a
 * handler was declared takes effect there.
 */
abstract class RollOutContractTests extends DatabaseContractTests {

  /** An event. */
  record Paid(String id) {}

  /** Another one. */
  record Refunded(String id) {}

  private static final Duration SOON = Duration.ofMillis(1);
  private static final RetryPolicy RETRY = RetryPolicy.DEFAULT.withBackoff(new Backoff(SOON, SOON));

  private final List<String> effects = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  final void closeAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private static final PayloadSerializer IDS =
      new PayloadSerializer() {
        @Override
        public String contentType() {
          return "text/plain";
        }

        @Override
        public byte[] write(Object event) {
          String id = event instanceof Paid paid ? paid.id() : ((Refunded) event).id();
          return id.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void check(Class<?> type) {}

        @Override
        public <E> E readExactly(byte[] payload, Class<E> type) {
          return read(payload, type);
        }

        @Override
        public <E> E read(byte[] payload, Class<E> eventClass, Consumer<String> unknown) {
          String id = new String(payload, StandardCharsets.UTF_8);
          return eventClass.cast(eventClass == Paid.class ? new Paid(id) : new Refunded(id));
        }
      };

  private Outledger app(boolean knowsRefunds) {
    return app(
        events -> {
          if (knowsRefunds) {
            events.register(
                Refunded.class, t -> t.name("refunded").topic("money").key(Refunded::id));
          }
        });
  }

  private Outledger app(Consumer<EventTypes.Builder> others) {
    Outledger app =
        Outledger.builder(dataSource())
            .serializer(IDS)
            .withoutRetention()
            .events(
                events -> {
                  events.register(Paid.class, t -> t.name("paid").topic("money").key(Paid::id));
                  others.accept(events);
                })
            .build();
    open.add(app);
    return app;
  }

  private void paid(EventHandlers.Builder<EventContext> handlers) {
    handlers.on(Paid.class, (event, context) -> effects.add("paid " + event.id()));
  }

  private void refunded(EventHandlers.Builder<EventContext> handlers) {
    handlers.on(Refunded.class, (event, context) -> effects.add("refunded " + event.id()));
  }

  private Relay relay(Outledger app, Consumer<RelayBuilder> routes) {
    RelayBuilder builder =
        app.relay(SUBSCRIPTION)
            .options(options -> options.lease(Duration.ofSeconds(2)).retry(RETRY))
            .handlerThreads(1);
    routes.accept(builder);
    Relay relay = builder.build();
    open.add(relay);
    return relay;
  }

  private static void step(Relay relay, BooleanSupplier until) {
    long end = TimeSource.system().nanoTime() + Duration.ofSeconds(40).toNanos();
    while (!until.getAsBoolean() && TimeSource.system().nanoTime() < end) {
      StepReport report = relay.step();
      await(relay, report);
    }
    assertThat(until.getAsBoolean()).isTrue();
  }

  private static void await(Relay relay, StepReport report) {
    try {
      Duration next = report.nextIn();
      relay.wakeup().await(next.compareTo(SOON) > 0 ? SOON : next);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void own(Relay relay) {
    step(relay, () -> relay.step().state() == StepReport.State.OWNER);
  }

  private static void end(Relay relay) {
    relay.handOver();
    step(relay, () -> relay.step().state() == StepReport.State.RELEASED);
    relay.close();
  }

  private boolean isSettled(long messages) {
    return effects.size() >= messages && count("SELECT count(*) FROM outledger_parked") == 0;
  }

  private static void append(Outledger app, int from, int to) {
    for (int i = from; i <= to; i++) {
      app.outbox().inNewTransaction(new Paid("k" + i), new Refunded("k" + i));
    }
  }

  @Test
  final void handlerOfANewVersionMissesNothingWhileTheOldOneOwnsTheSubscription() {
    newHandlerMissesNothingBeside(app(true));
  }

  @Test
  final void handlerOfATypeThatTheOldVersionDoesNotKnowMissesNothing() {
    newHandlerMissesNothingBeside(app(false));
  }

  private void newHandlerMissesNothingBeside(Outledger oldVersion) {
    Relay old = relay(oldVersion, r -> r.handler("ledger", this::paid));
    own(old);
    Outledger app = app(true);
    Relay young =
        relay(app, r -> r.handler("ledger", this::paid).handler("refunds", this::refunded));
    young.declare();
    append(app, 1, 5);
    step(old, () -> effects.size() == 5);
    end(old);
    append(app, 6, 6);
    step(young, () -> isSettled(12));
    assertThat(effects).hasSize(12).doesNotHaveDuplicates();
  }

  @Test
  final void typeThatAHandlerTakesOnlyInItsNewVersionIsNotPassedOver() {
    Relay old = relay(app(true), r -> r.handler("ledger", this::paid));
    own(old);
    Outledger app = app(true);
    Relay young =
        relay(
            app,
            r ->
                r.handler(
                    "ledger",
                    handlers -> {
                      paid(handlers);
                      refunded(handlers);
                    }));
    young.declare();
    append(app, 1, 2);
    step(old, () -> count("SELECT count(*) FROM outledger_parked") == 2);
    assertThat(effects).containsExactly("paid k1", "paid k2");
    end(old);
    step(young, () -> isSettled(4));
    assertThat(effects)
        .containsExactlyInAnyOrder("paid k1", "paid k2", "refunded k1", "refunded k2");
  }

  @Test
  final void goingBackLosesNothingAndIsTold() {
    Outledger app = app(true);
    Relay young =
        relay(app, r -> r.handler("ledger", this::paid).handler("refunds", this::refunded));
    own(young);
    end(young);
    Relay old = relay(app(true), r -> r.handler("ledger", this::paid));
    append(app, 1, 3);
    step(old, () -> effects.size() == 3);
    step(
        old,
        () ->
            count(
                    "SELECT count(*) FROM outledger_parked WHERE error LIKE"
                        + " 'waits for an instance that has route refunds%'")
                == 3);
    step(
        old,
        () -> count("SELECT count(*) FROM outledger_lag WHERE lacking LIKE '%refunded v1%'") == 1);
    end(old);
    Relay again =
        relay(app, r -> r.handler("ledger", this::paid).handler("refunds", this::refunded));
    step(again, () -> isSettled(6));
    assertThat(effects).hasSize(6).doesNotHaveDuplicates();
  }

  private BatchHandler consumer(Outledger app, Consumer<EventHandlers.Builder<EventContext>> on) {
    return app.inbox("stock").handler(on);
  }

  private Receiver<Integer> receiver(BatchHandler handler) {
    return new Receiver<>(
        handler,
        new ReceiverContext(
            "test",
            ReceivedContractTests.OPTIONS,
            event -> {},
            new ReceivedContractTests.Moment(),
            new SplittableRandom(1)));
  }

  private static Received message(@Nullable String key, String type, String id) {
    byte[] payload = id.getBytes(StandardCharsets.UTF_8);
    return new Received("shop", id, "money", key, type, 1, payload, Map.of(), null, "place", "");
  }

  @Test
  final void memberOfAConsumerParksWhatOnlyAnotherMemberHandles() {
    BatchHandler old = consumer(app(true), this::paid);
    BatchHandler young =
        consumer(
            app(true),
            handlers -> {
              paid(handlers);
              refunded(handlers);
            });
    ((ParkingHandler) young).store().carryOutRequests(1);
    ScriptedSource source = new ScriptedSource();
    source.add(
        message("a", "paid", "1"),
        message("a", "refunded", "2"),
        message("a", "paid", "3"),
        message(null, "refunded", "4"),
        message("b", "paid", "5"),
        message("b", "other", "6"));
    receiver(old).step(source);
    assertThat(source.committed()).isEqualTo(6);
    assertThat(effects).containsExactly("paid 1", "paid 5");
    ReceivedContractTests.retry(receiver(old)); // first, and leaves it to the other
    assertThat(effects).containsExactly("paid 1", "paid 5");
    assertThat(count("SELECT count(*) FROM outledger_inbox_parked WHERE error LIKE 'waits%'"))
        .isEqualTo(2);
    ReceivedContractTests.retry(receiver(young));
    assertThat(effects)
        .containsExactlyInAnyOrder("paid 1", "paid 5", "refunded 2", "paid 3", "refunded 4");
    assertThat(effects.indexOf("refunded 2")).isLessThan(effects.indexOf("paid 3"));
    assertThat(count("SELECT count(*) FROM outledger_inbox_parked")).isZero();
  }

  @Test
  final void memberOfAConsumerParksAVersionThatOnlyAnotherMemberKnows() {
    BatchHandler old = consumer(app(true), this::paid);
    BatchHandler young =
        consumer(
            app(
                events ->
                    events.register(
                        Refunded.class,
                        t -> t.name("paid").version(2).topic("money").key(Refunded::id))),
            handlers -> {
              paid(handlers);
              refunded(handlers);
            });
    ((ParkingHandler) young).store().carryOutRequests(1);
    ScriptedSource source = new ScriptedSource();
    source.add(ofVersion(2, "a", "1"), message("a", "paid", "2"), ofVersion(3, "b", "3"));
    receiver(old).step(source);
    assertThat(effects).isEmpty();
    assertThat(count("SELECT count(*) FROM outledger_inbox_parked WHERE error LIKE 'waits%'"))
        .isEqualTo(1);
    assertThat(count("SELECT count(*) FROM outledger_inbox_parked WHERE state = 'dead'")).isZero();
    ReceivedContractTests.retry(receiver(young));
    assertThat(effects).containsExactly("refunded 1", "paid 2");
  }

  private static Received ofVersion(int version, String key, String id) {
    byte[] payload = id.getBytes(StandardCharsets.UTF_8);
    return new Received(
        "shop", id, "money", key, "paid", version, payload, Map.of(), null, "place", "");
  }

  /** As a member of a group that has more members than partitions. */
  @Test
  final void loopOfOnesOwnThatGetsNothingHasDeclaredWhatItHandles() {
    BatchHandler old = consumer(app(true), this::paid);
    BatchHandler young = consumer(app(true), this::refunded);
    List<Received> batch = List.of(message("b", "refunded", "1"));
    assertThatThrownBy(() -> old.handle(batch)).hasMessageContaining("refunded v1");
    assertThat(young).isNotNull();
    assertThat(effects).isEmpty();
  }

  @Test
  final void loopOfOnesOwnGetsAMessageBackThatOnlyAnotherMemberHandles() throws Exception {
    BatchHandler old = consumer(app(true), this::paid);
    old.handle(List.of(message("a", "refunded", "0"))); // nobody has declared it yet
    BatchHandler young = consumer(app(true), this::refunded);
    young.handle(List.of(message("a", "refunded", "1")));
    List<Received> batch = List.of(message("a", "paid", "2"), message("b", "refunded", "3"));
    assertThatThrownBy(() -> old.handle(batch)).hasMessageContaining("refunded v1");
    young.handle(batch.subList(1, 2));
    assertThat(effects).containsExactly("refunded 1", "paid 2", "refunded 3");
  }

  @Test
  final void memberThatReplacesTheOthersPassesOverWhatItHandlesNoLongerAfterHalfAMinute()
      throws Exception {
    BatchHandler old = consumer(app(true), this::refunded);
    List<Received> batch = List.of(message("b", "refunded", "1"));
    BatchHandler young = consumer(app(true), this::paid);
    assertThatThrownBy(() -> young.handle(batch)).hasMessageContaining("refunded v1");
    BatchHandler replacing = app(true).inbox("stock").replaces().handler(this::paid);
    assertThatThrownBy(() -> replacing.handle(batch)).hasMessageContaining("refunded v1");
    assertThatThrownBy(() -> young.handle(batch)).hasMessageContaining("refunded v1");
    declared(Duration.ofMinutes(1));
    BatchHandler next = consumer(app(true), this::paid);
    next.handle(batch);
    List<Received> others = List.of(message("b", "other", "2"));
    old.handle(others); // it sees that what it has was ended
    old.handle(others);
    assertThatThrownBy(() -> next.handle(batch)).hasMessageContaining("refunded v1");
    assertThat(effects).isEmpty();
  }

  /** Makes it look as if all had been declared, or ended, so long ago. */
  private void declared(Duration ago) {
    SqlValues values = database().adminReads(dataSource()).values();
    inTransaction(
        transaction -> {
          try (PreparedStatement statement =
              transaction.prepareStatement("UPDATE outledger_declaration SET declared_at = ?")) {
            values.bind(statement, TimeSource.system().now().minus(ago));
            statement.executeUpdate();
          }
        });
  }
}
