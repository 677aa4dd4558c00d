// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.EventHandlers;
import io.outledger.event.EventTypes;
import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** Several versions of an application on one database, whose relays are stepped by hand. */
abstract class VersionsContractTests extends DatabaseContractTests {

  /** An event. */
  record Paid(String id) {}

  /** Another one. */
  record Refunded(String id) {}

  private static final Duration SOON = Duration.ofMillis(1);
  private static final RetryPolicy RETRY = RetryPolicy.DEFAULT.withBackoff(new Backoff(SOON, SOON));

  final List<String> effects = new CopyOnWriteArrayList<>();
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

  final Outledger app(boolean knowsRefunds) {
    return app(
        events -> {
          if (knowsRefunds) {
            events.register(
                Refunded.class, t -> t.name("refunded").topic("money").key(Refunded::id));
          }
        });
  }

  final Outledger app(Consumer<EventTypes.Builder> others) {
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

  final void paid(EventHandlers.Builder<EventContext> handlers) {
    paidAs("paid", handlers);
  }

  final void paidAs(String effect, EventHandlers.Builder<EventContext> handlers) {
    handlers.on(Paid.class, (event, context) -> effects.add(effect + " " + event.id()));
  }

  final void refunded(EventHandlers.Builder<EventContext> handlers) {
    handlers.on(Refunded.class, (event, context) -> effects.add("refunded " + event.id()));
  }

  final Relay relay(Outledger app, Consumer<RelayBuilder> routes) {
    RelayBuilder builder =
        app.relay(SUBSCRIPTION)
            .options(options -> options.lease(Duration.ofSeconds(2)).retry(RETRY))
            .handlerThreads(1);
    routes.accept(builder);
    Relay relay = builder.build();
    open.add(relay);
    return relay;
  }

  static void step(Relay relay, BooleanSupplier until) {
    step(List.of(relay), until);
  }

  /** Lets two processes take their steps in turn. */
  static void step(Relay one, Relay other, BooleanSupplier until) {
    step(List.of(one, other), until);
  }

  private static void step(List<Relay> relays, BooleanSupplier until) {
    long end = TimeSource.system().nanoTime() + PATIENCE.toNanos();
    while (!until.getAsBoolean() && TimeSource.system().nanoTime() < end) {
      for (Relay relay : relays) {
        await(relay, relay.step());
      }
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

  static void own(Relay relay) {
    step(relay, () -> relay.step().state() == StepReport.State.OWNER);
  }

  static void end(Relay relay) {
    relay.handOver();
    step(relay, () -> relay.step().state() == StepReport.State.RELEASED);
    relay.close();
  }

  final boolean isSettled(long messages) {
    return effects.size() >= messages && parked() == 0;
  }

  final long parked() {
    return count("SELECT count(*) FROM outledger_parked");
  }
}
