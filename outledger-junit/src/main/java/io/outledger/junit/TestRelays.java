// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Require;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.relay.DrainReport;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Relays that run when a test says so, on the test's thread, until everything is done: the
 * application's handlers, and a publisher that records. No test waits for a poll. Handlers that the
 * application has added by {@link RelayBuilder#handler} run on threads of their own while the test
 * waits for them: a {@code ThreadLocal} or a transaction of the test does not reach them.
 *
 * <p>Each test sees what was appended since {@link #begin()}. The subscriptions are deleted before
 * each test; tests that share a database must not run side by side. For one thread.
 */
public final class TestRelays {

  private static final String RECORDER = "outledger-junit";
  private static final Duration RETRY_CHECK = Duration.ofSeconds(5);
  private static final int ROUNDS_MAX = 1_000;

  /** More than a test has a destination fail; each takes some statements of each relay. */
  private static final int RETRIES_MAX = 100;

  static final int MESSAGES_MAX = 10_000;
  private static final Duration DRAIN_MAX = Duration.ofMinutes(1);

  private final Outledger outledger;
  private final SettableClock clock;
  private final Supplier<Map<String, RelayBuilder>> handlers;
  private final ScheduledForTests scheduled;
  private int messagesMax = MESSAGES_MAX;
  private @Nullable Running running;

  /** What one test has. */
  private record Running(
      RecordingPublisher publisher,
      AtomicLong left,
      Map<String, Relay> relays,
      Map<String, Long> pending) {

    Running(RecordingPublisher publisher, int messagesMax) {
      this(publisher, new AtomicLong(messagesMax), new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    /** Lets each relay do what it can, and returns how many messages were published. */
    long drain() {
      long published = 0;
      for (Map.Entry<String, Relay> each : relays.entrySet()) {
        DrainReport report = TestRelays.drain(each.getValue());
        published += report.published();
        pending.put(each.getKey(), report.pending());
      }
      return published;
    }

    boolean isAnyPending() {
      return pending.values().stream().anyMatch(count -> count > 0);
    }

    /** Closes every relay, also where one of them cannot be closed; throws the first failure. */
    void close() {
      List<RuntimeException> failures = new ArrayList<>();
      for (Relay relay : relays.values()) {
        try {
          relay.close();
        } catch (RuntimeException e) {
          failures.add(e);
        }
      }
      if (!failures.isEmpty()) {
        RuntimeException first = failures.get(0);
        failures.subList(1, failures.size()).forEach(first::addSuppressed);
        throw first;
      }
    }

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
   * Creates it. Nothing is read or written before {@link #begin()}.
   *
   * @param outledger whose relays run; built with the clock
   * @param clock the clock of messages and relays
   * @param handlers makes the application's relays, by subscription; asked before each test
   */
  public TestRelays(
      Outledger outledger, SettableClock clock, Supplier<Map<String, RelayBuilder>> handlers) {
    this.outledger = Require.nonNull("outledger", outledger);
    this.clock = Require.nonNull("clock", clock);
    this.handlers = Require.nonNull("handlers", handlers);
    this.scheduled = new ScheduledForTests(outledger);
  }

  /**
   * Sets how many messages one {@link #settle()} may publish and handle before it fails, because
   * handlers seem to append without end. A message counts once for each subscription; the default
   * is 10,000.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  public void messagesMax(int value) {
    if (value < 1) {
      throw new IllegalArgumentException("messagesMax must be at least 1, but is " + value);
    }
    messagesMax = value;
  }

  /**
   * Begins a test: deletes the subscriptions that an earlier test has left, and creates them again,
   * each after the messages that are there. What is scheduled is cancelled.
   */
  public void begin() {
    end();
    RecordingPublisher publisher = new RecordingPublisher();
    Map<String, RelayBuilder> builders = new LinkedHashMap<>(handlers.get());
    builders.put(RECORDER, outledger.relay(RECORDER).to(publisher));
    Set<String> left =
        outledger.admin().subscriptions().stream()
            .map(SubscriptionState::name)
            .collect(Collectors.toSet());
    builders.keySet().stream().filter(left::contains).forEach(outledger.subscriptions()::delete);
    scheduled.cancelAll();
    Running begun = new Running(publisher, messagesMax);
    running = begun;
    builders.forEach(
        (name, builder) -> {
          builder.from(Start.NOW).listener(event -> begun.count(name, event));
          begun.relays().put(name, builder.build());
        });
    settle();
  }

  /** Ends a test: closes its relays. Without effect where none has begun. */
  public void end() {
    Running ended = running;
    running = null;
    if (ended != null) {
      ended.close();
    }
  }

  /** Returns the clock of messages and relays; leases and retries go by the database's. */
  public SettableClock clock() {
    return clock;
  }

  /** Returns where everything is published that was appended since the test began. */
  public RecordingPublisher publisher() {
    return running().publisher();
  }

  /** Asserts on what has been published until now. */
  public PublisherAssert assertThatPublished() {
    return OutledgerAssertions.assertThat(publisher(), outledger.events());
  }

  /**
   * Publishes and handles everything that is pending, on every subscription, what the handlers
   * append, and what was scheduled and is due by the database's clock. What a destination does not
   * take because it cannot be reached stays pending.
   *
   * @throws AssertionError where handlers append without end
   */
  public void settle() {
    Running current = running();
    AtomicLong left = current.left();
    left.set(messagesMax);
    long published = 1;
    for (int round = 0; published > 0 && left.get() >= 0 && round < ROUNDS_MAX; round++) {
      outledger.moveScheduled();
      published = current.drain();
    }
    if (published > 0) {
      throw new AssertionError(
          "Handlers append without end: "
              + (messagesMax - left.get())
              + " messages were published, and each leads to another. A test that publishes more on"
              + " purpose sets messagesMax(…), or settles in between");
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
    for (String subscription : running().relays().keySet()) {
      found += outledger.parkedMessages(subscription).retry(waiting);
    }
    clock.advance(RETRY_CHECK);
    settle();
    return found > 0;
  }

  /**
   * Lets the scheduled message that is due next be due now, and settles: a reminder, or the
   * time-out of a saga. The clock stays where it is.
   *
   * @return whether there was one
   */
  public boolean deliverNextScheduled() {
    running();
    boolean found = scheduled.deliverNext();
    settle();
    return found;
  }

  /** Begins a scenario. See {@link Scenario}. */
  public Scenario when(Scenario.Action action) throws Exception {
    return new Scenario(new Retries(), publisher(), outledger.events()).when(action);
  }

  private static DrainReport drain(Relay relay) {
    try {
      return relay.drain(DRAIN_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while a relay was at work", e);
    }
  }

  private Running running() {
    Running current = running;
    if (current == null) {
      throw new IllegalStateException(
          "relays run while a test runs: use them in the test or in @BeforeEach");
    }
    return current;
  }

  private final class Retries implements Settling {

    @Override
    public void settle() {
      TestRelays.this.settle();
    }

    @Override
    public boolean letTimePass() {
      boolean helped = retryParked();
      return helped || running().isAnyPending() || deliverNextScheduled();
    }

    @Override
    public int roundsMax() {
      return RETRIES_MAX;
    }

    @Override
    public String describe() {
      return "Published: "
          + publisher().messages()
          + ". Pending: "
          + running().pending()
          + ". Parked: "
          + running().relays().keySet().stream().map(this::parked).collect(Collectors.joining("; "))
          + ". Scheduled: "
          + scheduled.first()
          + '.';
    }

    private String parked(String subscription) {
      ParkedQuery first = ParkedQuery.of(Reader.subscription(subscription)).withLimit(20);
      return subscription + " " + outledger.admin().parked(first).rows();
    }
  }
}
