// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Message;
import io.outledger.MessageIds;
import io.outledger.Require;
import io.outledger.event.EventHandlers;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import io.outledger.frontier.Frontier;
import io.outledger.jdbc.EventContext;
import io.outledger.relay.Relay;
import io.outledger.relay.StepReport;
import io.outledger.relay.handler.HandlerPublisher;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.InMemoryOutbox;
import io.outledger.testing.InMemorySubscription;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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
 *         .handler("mail", h -> h.on(OrderPlaced.class, (order, context) -> mails.send(order)));
 * }</pre>
 *
 * <p>Register it in an instance field, so that each test has its own. For one thread.
 */
public final class InMemoryExtension implements BeforeEachCallback, AfterEachCallback {

  private static final String SUBSCRIPTION = "test";
  private static final Duration TIME_STEP = Duration.ofSeconds(10);
  static final long SEED = 42;

  /** More than any test needs: each step publishes and handles a page of messages. */
  private static final int STEPS_MAX = 5_000;

  /** Enough for a few hours of back-off. */
  private static final int ROUNDS_MAX = 1_000;

  private final SettableClock clock = new SettableClock();
  private final InMemoryLedger ledger = new InMemoryLedger(clock);
  private final RecordingPublisher publisher = new RecordingPublisher();
  private final List<Route> routes = new ArrayList<>();
  private final Events events;
  private final InMemoryOutbox outbox;
  private final Set<InMemoryOutbox.Appended> moved =
      Collections.newSetFromMap(new IdentityHashMap<>());
  private @Nullable Relay relay;
  private boolean relayWaits;
  private @Nullable Connection connection;
  private boolean used;

  private InMemoryExtension(Events.Builder events) {
    this.events = events.time(clock).ids(new MessageIds(clock, new SplittableRandom(SEED))).build();
    this.outbox = new InMemoryOutbox(this.events, clock);
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
    Require.nonNull("registration", registration).accept(types);
    return new InMemoryExtension(Events.builder().types(types.build()).serializer(serializer));
  }

  /**
   * Gives typed handlers and enrichments a connection, such as one of H2 in memory. It is theirs
   * alone: nothing here commits, rolls back or closes it. Without it, {@link
   * EventContext#connection()} throws {@link IllegalStateException}.
   */
  public InMemoryExtension connection(Connection value) {
    connection = Require.nonNull("connection", value);
    outbox.with(Connection.class, value);
    return this;
  }

  /**
   * Adds a handler of events, on the thread of the test. It is retried alone, as in production, and
   * told the same. What it appends to the context's outbox is published if it returns, and dropped
   * if it throws.
   *
   * @param name its name
   * @param handlers names the classes and what is done with each
   */
  public InMemoryExtension handler(
      String name, Consumer<EventHandlers.Builder<EventContext>> handlers) {
    if (relay != null) {
      throw new IllegalStateException(
          "add handlers before the first settle(): the relay is running");
    }
    InMemoryHandler handler =
        new InMemoryHandler(
            SUBSCRIPTION, EventHandlers.of(events, handlers), outbox, () -> connection);
    routes.add(
        new Route(name, new HandlerPublisher(name, handler, Runnable::run), Accepts.everything()));
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

  /** Returns the converter of events into messages and back. */
  public Events events() {
    return events;
  }

  /** Asserts on what has been published until now. */
  public PublisherAssert assertThatPublished() {
    return OutledgerAssertions.assertThat(publisher, events);
  }

  /**
   * Publishes and handles everything that is due now, and what handlers append; does not move the
   * clock.
   *
   * @throws AssertionError where handlers append without end
   */
  public void settle() {
    Relay current = relay();
    boolean more = true;
    for (int step = 0; more; step++) {
      if (step == STEPS_MAX) {
        throw new AssertionError(
            "Handlers append without end: each message leads to another. The last one: "
                + newest(ledger.messages()));
      }
      List<Message> appended = newlyAppended();
      if (!appended.isEmpty()) {
        ledger.inNewTransaction(appended.toArray(Message[]::new));
      }
      StepReport report = current.step();
      more = report.nextIn().isZero() || takeWakeup(current) || hasAppended();
      relayWaits = report.state() != StepReport.State.OWNER || report.pending() > 0;
    }
  }

  private static Message newest(List<LedgerMessage> messages) {
    return messages.get(messages.size() - 1).message();
  }

  private List<Message> newlyAppended() {
    return outbox.appended().stream()
        .filter(moved::add)
        .flatMap(each -> each.messages().stream())
        .toList();
  }

  private boolean hasAppended() {
    return outbox.appended().stream().anyMatch(each -> !moved.contains(each));
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

  private static boolean takeWakeup(Relay relay) {
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
      return relayWaits
          || subscription().parked().stream()
              .anyMatch(row -> row.message().state() != ParkedState.DEAD);
    }

    @Override
    public int roundsMax() {
      return ROUNDS_MAX;
    }

    @Override
    public String describe() {
      return "Published: "
          + publisher.messages()
          + ". Pending: "
          + pending()
          + ". Parked: "
          + subscription().parked()
          + ".";
    }

    private List<Message> pending() {
      Frontier settled = subscription().frontier();
      return ledger.messages().stream()
          .filter(message -> !settled.isSettled(message.position()))
          .map(LedgerMessage::message)
          .toList();
    }
  }
}
