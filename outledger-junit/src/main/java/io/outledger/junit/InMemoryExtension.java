// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Given;
import io.outledger.Message;
import io.outledger.MessageIds;
import io.outledger.event.EventHandlers;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import io.outledger.relay.HandlerPublisher;
import io.outledger.relay.MessageHandler;
import io.outledger.relay.Relay;
import io.outledger.relay.RelayOptions;
import io.outledger.relay.Route;
import io.outledger.relay.StepReport;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.InMemoryOutbox;
import io.outledger.testing.InMemorySubscription;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Outledger without a database, a broker or threads, for one test: an outbox, a real relay over an
 * in-memory ledger, handlers, a publisher that records and misbehaves on demand, and a clock that
 * the test moves. The same test gives the same result each time, ids included.
 *
 * <pre>{@code
 * @RegisterExtension
 * final InMemoryExtension outledger =
 *     InMemoryExtension.with(JacksonSerializer.create(), Contract::register)
 *         .handler("mail", h -> h.on(OrderPlaced.class, (order, message) -> mails.send(order)));
 * }</pre>
 *
 * <p>Register it in an instance field, so that each test has its own. For one thread.
 */
public final class InMemoryExtension implements BeforeEachCallback, AfterEachCallback {

  private static final String SUBSCRIPTION = "test";
  private static final Duration TIME_STEP = Duration.ofSeconds(10);
  private static final long SEED = 42;

  private final SettableClock clock = new SettableClock();
  private final InMemoryLedger ledger = new InMemoryLedger(clock);
  private final RecordingPublisher publisher = new RecordingPublisher();
  private final List<Route> routes = new ArrayList<>();
  private final Events events;
  private final InMemoryOutbox outbox;
  private @Nullable Relay relay;
  private int moved;
  private boolean used;

  private InMemoryExtension(Events.Builder events) {
    this.events = events.time(clock).ids(new MessageIds(clock, new SplittableRandom(SEED))).build();
    this.outbox = new InMemoryOutbox(this.events);
    routes.add(Route.only(publisher));
  }

  /** Makes one that takes messages alone, and no events. */
  public static InMemoryExtension withoutEvents() {
    return new InMemoryExtension(Events.builder());
  }

  /**
   * Makes one that takes events as the application registers them.
   *
   * @param serializer writes and reads their payloads
   * @param registration registers them, such as {@code Contract::register}
   */
  public static InMemoryExtension with(
      PayloadSerializer serializer, Consumer<EventTypes.Builder> registration) {
    EventTypes.Builder types = EventTypes.builder();
    Given.check("registration", registration).accept(types);
    return new InMemoryExtension(Events.builder().types(types.build()).serializer(serializer));
  }

  /**
   * Adds a handler of events, on the thread of the test. It is retried alone, as in production.
   *
   * @param name its name
   * @param handlers names the classes and what is done with each
   */
  public InMemoryExtension handler(String name, Consumer<EventHandlers.Builder<Message>> handlers) {
    EventHandlers<Message> typed = EventHandlers.of(events, handlers);
    MessageHandler handler =
        message -> {
          if (typed.match(message.type(), message.version()) == EventHandlers.Match.HANDLED) {
            typed.read(message.type(), message.version(), message.payload()).run(message);
          }
        };
    routes.add(
        new Route(name, new HandlerPublisher(name, handler, Runnable::run), message -> true));
    return this;
  }

  /** Returns the outbox to give to the code under test; what is appended is committed at once. */
  public InMemoryOutbox outbox() {
    return outbox;
  }

  /** Returns the clock of everything here. */
  public SettableClock clock() {
    return clock;
  }

  /** Returns where everything is published, beside the handlers. */
  public RecordingPublisher publisher() {
    return publisher;
  }

  /** Returns the ledger, for tests with transactions, roll-backs and database failures. */
  public InMemoryLedger ledger() {
    return ledger;
  }

  /** Returns what turns events into messages and back. */
  public Events events() {
    return events;
  }

  /** Asserts on what has been published until now. */
  public PublisherAssert assertThatPublished() {
    return OutledgerAssertions.assertThat(publisher, events);
  }

  /** Publishes and handles everything that is due now; does not move the clock. */
  public void settle() {
    List<Message> appended = outbox.messages();
    if (appended.size() < moved) {
      moved = 0; // the outbox was cleared
    }
    if (appended.size() > moved) {
      ledger.inNewTransaction(appended.subList(moved, appended.size()).toArray(Message[]::new));
      moved = appended.size();
    }
    Relay current = relay();
    StepReport report = current.step();
    while (report.nextIn().isZero() || wasWoken(current)) {
      report = current.step();
    }
  }

  /** Moves the clock, and then settles: what was to be tried again by then is tried again. */
  public void letTimePass(Duration time) {
    clock.advance(time);
    settle();
  }

  /** Returns the parked messages, with their routes, states and errors. */
  public InMemorySubscription subscription() {
    return ledger.subscription(SUBSCRIPTION);
  }

  /** Begins a scenario. See {@link Scenario}. */
  public Scenario when(Scenario.Action action) throws Exception {
    return new Scenario(new Clockwork(), publisher, events).when(action);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (used) {
      throw new ExtensionConfigurationException(
          "register InMemoryExtension in an instance field, so that each test has its own");
    }
    used = true;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Relay current = relay;
    if (current != null) {
      current.close();
    }
  }

  private Relay relay() {
    Relay current = relay;
    if (current == null) {
      current =
          new Relay(
              ledger.relayStore(SUBSCRIPTION, Start.EARLIEST),
              routes,
              RelayOptions.defaults(),
              event -> {},
              new Relay.Surroundings(clock, new SplittableRandom(SEED)));
      relay = current;
    }
    return current;
  }

  private static boolean wasWoken(Relay relay) {
    try {
      return relay.wakeup().await(Duration.ZERO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private final class Clockwork implements Settling {

    @Override
    public void settle() {
      InMemoryExtension.this.settle();
    }

    @Override
    public boolean letTimePass() {
      InMemoryExtension.this.letTimePass(TIME_STEP);
      return subscription().parked().stream()
          .anyMatch(row -> row.message().state() != ParkedState.DEAD);
    }

    @Override
    public String describe() {
      return "Published: " + publisher.messages() + ". Parked: " + subscription().parked() + ".";
    }
  }
}
