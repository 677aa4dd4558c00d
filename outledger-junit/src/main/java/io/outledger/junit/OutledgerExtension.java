// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Given;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.OutledgerBuilder;
import io.outledger.jdbc.ParkedMessages;
import io.outledger.jdbc.ParkedSelection;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.Schema;
import io.outledger.jdbc.SubscriptionStatus;
import io.outledger.relay.Relay;
import io.outledger.relay.RelayEvent;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Outledger on a real database for each test: an embedded PostgreSQL, H2 in memory, whatever the
 * application's data source is. Before each test it applies the schema, builds an {@link Outledger}
 * with a clock that the test moves, and subscribes a publisher that records. Relays run when the
 * test says so, on the test's thread, until everything is done: no test waits for a poll.
 *
 * <pre>{@code
 * @RegisterExtension
 * final OutledgerExtension outledger =
 *     OutledgerExtension.on(TestDatabase::dataSource)
 *         .configure(b -> b.serializer(JacksonSerializer.create()).events(Contract::register))
 *         .relay("mail", relay -> relay.handler("mail", h -> h.on(OrderPlaced.class, …)));
 * }</pre>
 *
 * <p>Each test sees what was appended since it began, even if tests share the database. The
 * subscriptions that are named here are deleted before each test; tests that share a database must
 * not run side by side. For one thread.
 */
public final class OutledgerExtension implements BeforeEachCallback, AfterEachCallback {

  private static final String RECORDER = "outledger-junit";
  private static final Duration RETRY_CHECK = Duration.ofSeconds(5);
  private static final int ROUNDS_MAX = 1_000;

  private static final int MESSAGES_MAX = 10_000;
  private static final Duration DRAIN_MAX = Duration.ofMinutes(1);

  private final Supplier<DataSource> database;
  private final Map<String, Consumer<RelayBuilder>> choices = new LinkedHashMap<>();
  private Consumer<OutledgerBuilder> configuration = builder -> {};
  private int messagesMax = MESSAGES_MAX;
  private @Nullable Running running;

  private OutledgerExtension(Supplier<DataSource> database) {
    this.database = database;
    choices.put(RECORDER, relay -> {});
  }

  /** The ledger, relays and clock of one test. */
  private record Running(
      Outledger outledger,
      SettableClock clock,
      RecordingPublisher publisher,
      AtomicLong left,
      Map<String, Relay> relays) {

    /** Has a relay end its drain that publishes without end: the clock, which stands, does not. */
    void count(String subscription, RelayEvent event) {
      if (event instanceof RelayEvent.Saved saved && left.addAndGet(-saved.published()) < 0) {
        Relay relay = relays.get(subscription);
        if (relay != null) {
          relay.handOver();
        }
      }
    }
  }

  /**
   * Makes one.
   *
   * @param database returns the data source; asked before each test. It may be the same each time
   */
  public static OutledgerExtension on(Supplier<DataSource> database) {
    return new OutledgerExtension(Given.check("database", database));
  }

  /** Says how the {@link Outledger} is to be: serializer, events, schema. */
  public OutledgerExtension configure(Consumer<OutledgerBuilder> value) {
    configuration = Given.check("configure", value);
    return this;
  }

  /**
   * Adds a subscription with its relay, such as the application's handlers.
   *
   * @param subscription its name
   * @param choice says where its messages go
   */
  public OutledgerExtension relay(String subscription, Consumer<RelayBuilder> choice) {
    choices.put(Given.check("subscription", subscription), Given.check("choice", choice));
    return this;
  }

  /**
   * Sets how many messages one {@link #settle()} may publish and handle before it fails, because
   * handlers seem to append without end. A message counts once for each subscription; the default
   * is 10,000.
   */
  public OutledgerExtension messagesMax(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("messagesMax must be at least 1, but is " + value);
    }
    messagesMax = value;
    return this;
  }

  /** Returns the door to everything, for the application under test. */
  public Outledger outledger() {
    return running().outledger();
  }

  /** Returns the clock of messages and relays; leases and retries go by the database's. */
  public SettableClock clock() {
    return running().clock();
  }

  /** Returns where everything is published that was appended since the test began. */
  public RecordingPublisher publisher() {
    return running().publisher();
  }

  /** Asserts on what has been published until now. */
  public PublisherAssert assertThatPublished() {
    return OutledgerAssertions.assertThat(publisher(), outledger().events());
  }

  /**
   * Publishes and handles everything that is pending, on every subscription named here, and what
   * the handlers append.
   *
   * @throws AssertionError where handlers append without end
   */
  public void settle() {
    Collection<Relay> relays = running().relays().values();
    AtomicLong left = running().left();
    left.set(messagesMax);
    long published = 1;
    for (int round = 0; published > 0 && left.get() >= 0 && round < ROUNDS_MAX; round++) {
      published = relays.stream().mapToLong(OutledgerExtension::drain).sum();
    }
    if (published > 0) {
      throw new AssertionError(
          "Handlers append without end: more than "
              + messagesMax
              + " messages were published, and each leads to another. A test that publishes more"
              + " on purpose sets messagesMax(…)");
    }
  }

  /**
   * Lets every message that waits to be tried again be tried now, whatever its back-off says, and
   * settles.
   *
   * @return whether there was one
   */
  public boolean retryParked() {
    ParkedSelection waiting = ParkedSelection.of(ParkedState.RETRYING);
    int found = 0;
    for (String subscription : choices.keySet()) {
      found += outledger().parkedMessages(subscription).retry(waiting);
    }
    clock().advance(RETRY_CHECK);
    settle();
    return found > 0;
  }

  /** Begins a scenario. See {@link Scenario}. */
  public Scenario when(Scenario.Action action) throws Exception {
    return new Scenario(new Retries(), publisher(), outledger().events()).when(action);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    DataSource dataSource = database.get();
    Schema.of(dataSource).apply(dataSource);
    SettableClock clock = new SettableClock();
    OutledgerBuilder builder = Outledger.builder(dataSource).time(clock).withoutRetention();
    configuration.accept(builder);
    Outledger outledger = builder.build();
    Running begun =
        new Running(
            outledger,
            clock,
            new RecordingPublisher(),
            new AtomicLong(messagesMax),
            new LinkedHashMap<>());
    running = begun;
    deleteSubscriptions(outledger);
    choices.forEach((name, choice) -> begun.relays().put(name, build(begun, name, choice)));
    settle();
  }

  private void deleteSubscriptions(Outledger outledger) {
    Set<String> left =
        outledger.subscriptions().list().stream()
            .map(SubscriptionStatus::name)
            .collect(Collectors.toSet());
    choices.keySet().stream().filter(left::contains).forEach(outledger.subscriptions()::delete);
  }

  private static Relay build(Running begun, String name, Consumer<RelayBuilder> choice) {
    RelayBuilder relay =
        begun.outledger().relay(name).from(Start.NOW).listener(event -> begun.count(name, event));
    if (name.equals(RECORDER)) {
      relay.to(begun.publisher());
    }
    choice.accept(relay);
    return relay.build();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Running ended = running;
    running = null;
    if (ended != null) {
      ended.relays().values().forEach(Relay::close);
      ended.outledger().close();
    }
  }

  private static long drain(Relay relay) {
    try {
      return relay.drain(DRAIN_MAX).published();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while a relay was at work", e);
    }
  }

  private Running running() {
    Running current = running;
    if (current == null) {
      throw new IllegalStateException(
          "there is an Outledger while a test runs: ask for it in the test or in @BeforeEach");
    }
    return current;
  }

  private final class Retries implements Settling {

    @Override
    public void settle() {
      OutledgerExtension.this.settle();
    }

    @Override
    public boolean letTimePass() {
      return retryParked();
    }

    @Override
    public String describe() {
      return "Published: "
          + publisher().messages()
          + ". Parked: "
          + choices.keySet().stream().map(this::parked).collect(Collectors.joining("; "))
          + '.';
    }

    private String parked(String subscription) {
      ParkedMessages parked = outledger().parkedMessages(subscription);
      return subscription + " " + parked.list(ParkedSelection.ALL, 0, 20);
    }
  }
}
