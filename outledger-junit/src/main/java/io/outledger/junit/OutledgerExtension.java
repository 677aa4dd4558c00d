// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Require;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.OutledgerBuilder;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.Schema;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Outledger on a real database for each test: an embedded PostgreSQL, H2 in memory, whatever the
 * application's data source is. Before each test it applies the schema, builds an {@link Outledger}
 * with a clock that the test moves, and subscribes a publisher that records. Relays run when the
 * test says so, on the test's thread, until everything is done: no test waits for a poll. Handlers
 * that are added by {@link RelayBuilder#handler} run on threads of their own meanwhile: a {@code
 * ThreadLocal} or a transaction of the test does not reach them.
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

  private final Supplier<DataSource> database;
  private final Map<String, Consumer<RelayBuilder>> choices = new LinkedHashMap<>();
  private Consumer<OutledgerBuilder> configuration = builder -> {};
  private int messagesMax = TestRelays.MESSAGES_MAX;
  private @Nullable Running running;

  private OutledgerExtension(Supplier<DataSource> database) {
    this.database = database;
  }

  /** What one test has. */
  private record Running(Outledger outledger, TestRelays relays) {}

  /**
   * Makes one.
   *
   * @param database returns the data source; asked before each test. It may be the same each time
   */
  public static OutledgerExtension on(Supplier<DataSource> database) {
    return new OutledgerExtension(Require.nonNull("database", database));
  }

  /** Says how the {@link Outledger} is to be: serializer, events, schema. */
  public OutledgerExtension configure(Consumer<OutledgerBuilder> value) {
    configuration = Require.nonNull("configure", value);
    return this;
  }

  /**
   * Adds a subscription with its relay, such as the application's handlers.
   *
   * @param subscription its name
   * @param choice says where its messages go
   */
  public OutledgerExtension relay(String subscription, Consumer<RelayBuilder> choice) {
    choices.put(Require.nonNull("subscription", subscription), Require.nonNull("choice", choice));
    return this;
  }

  /**
   * Sets how many messages one {@link #settle()} may publish and handle before it fails, because
   * handlers seem to append without end. A message counts once for each subscription; the default
   * is 10,000.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  public OutledgerExtension messagesMax(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("messagesMax must be at least 1, but is " + value);
    }
    messagesMax = value;
    return this;
  }

  /** Returns the {@link Outledger} of the running test. */
  public Outledger outledger() {
    return running().outledger();
  }

  /** Returns the clock of messages and relays; leases and retries go by the database's. */
  public SettableClock clock() {
    return running().relays().clock();
  }

  /** Returns where everything is published that was appended since the test began. */
  public RecordingPublisher publisher() {
    return running().relays().publisher();
  }

  /** Asserts on what has been published until now. */
  public PublisherAssert assertThatPublished() {
    return running().relays().assertThatPublished();
  }

  /**
   * Publishes and handles everything that is pending, on every subscription named here, what the
   * handlers append, and what was scheduled and is due by the database's clock.
   *
   * @throws AssertionError where handlers append without end
   */
  public void settle() {
    running().relays().settle();
  }

  /**
   * Lets every message that waits to be tried again be tried now, whatever its back-off says, and
   * settles.
   *
   * @return whether there was one
   */
  public boolean retryParked() {
    return running().relays().retryParked();
  }

  /**
   * Lets the scheduled message that is due next be due now, and settles: a reminder, or the
   * time-out of a saga.
   *
   * @return whether there was one
   */
  public boolean deliverNextScheduled() {
    return running().relays().deliverNextScheduled();
  }

  /** Begins a scenario. See {@link Scenario}. */
  public Scenario when(Scenario.Action action) throws Exception {
    return running().relays().when(action);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    DataSource dataSource = database.get();
    Schema.of(dataSource).apply(dataSource);
    SettableClock clock = new SettableClock();
    OutledgerBuilder builder = Outledger.builder(dataSource).time(clock).withoutRetention();
    configuration.accept(builder);
    Outledger outledger = builder.build();
    TestRelays relays = new TestRelays(outledger, clock, () -> chosen(outledger));
    relays.messagesMax(messagesMax);
    running = new Running(outledger, relays);
    relays.begin();
  }

  private Map<String, RelayBuilder> chosen(Outledger outledger) {
    Map<String, RelayBuilder> relays = new LinkedHashMap<>();
    choices.forEach(
        (name, choice) -> {
          RelayBuilder relay = outledger.relay(name);
          choice.accept(relay);
          relays.put(name, relay);
        });
    return relays;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Running ended = running;
    running = null;
    if (ended != null) {
      Outledger outledger = ended.outledger();
      try (outledger) {
        ended.relays().end();
      }
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
}
