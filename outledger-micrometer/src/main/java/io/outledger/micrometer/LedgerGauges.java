// SPDX-License-Identifier: Apache-2.0
package io.outledger.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.jdbc.Admin;
import io.outledger.jdbc.admin.ConsumerState;
import io.outledger.jdbc.admin.Count;
import io.outledger.jdbc.admin.LedgerState;
import io.outledger.jdbc.admin.Overview;
import io.outledger.jdbc.admin.ParkedCounts;
import io.outledger.jdbc.admin.ScheduledState;
import io.outledger.jdbc.admin.SubscriptionState;
import io.outledger.store.PauseScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges of what the database says: how late each subscription is, who runs it, what is parked.
 * Every instance that has them shows the same, for all instances, so an alert takes the largest.
 *
 * <p>They are read again and again on a daemon thread, and a scrape waits for nothing. Where the
 * database cannot be read, {@code outledger.ledger.readable} is 0 and the others are gone: an old
 * number would look like a good one. Thread-safe.
 */
public final class LedgerGauges implements AutoCloseable {

  /** How often the database is read if nothing else is asked for. */
  public static final Duration EVERY_DEFAULT = Duration.ofSeconds(15);

  private static final Logger LOG = LoggerFactory.getLogger(LedgerGauges.class);
  private static final String SUBSCRIPTION = "outledger.subscription.";

  private final Admin admin;
  private final List<OfSubscription> ofSubscriptions = new ArrayList<>();
  private final MultiGauge ledgerBytes;
  private final MultiGauge ledgerOldest;
  private final MultiGauge ledgerUnread;
  private final MultiGauge parked;
  private final MultiGauge scheduledWaiting;
  private final MultiGauge scheduledDue;
  private final MultiGauge scheduledLate;
  private final MultiGauge sagaStuck;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(LedgerGauges::daemon);
  private volatile double isReadable;

  private record OfSubscription(MultiGauge gauge, ToDoubleFunction<SubscriptionState> value) {}

  LedgerGauges(Admin admin, MeterRegistry registry) {
    this.admin = admin;
    Gauge.builder("outledger.ledger.readable", this, gauges -> gauges.isReadable)
        .description("1 if the database was read, 0 if it could not be")
        .register(registry);
    this.ledgerBytes = gauge(registry, "outledger.ledger.size", "Room of the table", "bytes");
    this.ledgerOldest =
        gauge(registry, "outledger.ledger.oldest", "Age of the oldest message", "seconds");
    this.ledgerUnread =
        gauge(registry, "outledger.ledger.unread", "1 if no subscription reads it", null);
    this.parked = gauge(registry, "outledger.parked", "Parked messages, up to 10,000", null);
    this.scheduledWaiting =
        gauge(
            registry,
            "outledger.scheduled.waiting",
            "Messages that are scheduled, up to 10,000",
            null);
    this.scheduledDue =
        gauge(
            registry,
            "outledger.scheduled.due",
            "Scheduled messages that are due and not in the ledger yet, up to 10,000",
            null);
    this.scheduledLate =
        gauge(
            registry,
            "outledger.scheduled.late",
            "For how long the first of these has been due",
            "seconds");
    this.sagaStuck =
        gauge(
            registry,
            "outledger.saga.stuck",
            "Sagas that are stuck behind a dead letter, up to 10,000",
            null);
    registerOfSubscriptions(registry);
  }

  private void registerOfSubscriptions(MeterRegistry registry) {
    of(registry, "running", "1 if a relay runs it", null, s -> s.isRunning() ? 1 : 0);
    of(registry, "behind", "Positions that are still to be read", null, s -> s.lag().behind());
    of(
        registry,
        "waiting",
        "Age of the oldest message that is still to be tried",
        "seconds",
        s -> seconds(s.lag().waiting()));
    of(
        registry,
        "publishable",
        "The same, without what waits only because all of it is paused",
        "seconds",
        s -> isPaused(s) ? 0 : seconds(s.lag().waiting()));
    of(
        registry,
        "paused.waiting",
        "The same, of what waits only because all of it is paused",
        "seconds",
        s -> isPaused(s) ? seconds(s.lag().waiting()) : 0);
    of(
        registry,
        "oldest",
        "Age of the oldest message that is neither published nor discarded",
        "seconds",
        s -> seconds(s.lag().oldest()));
    of(registry, "high", "The highest position that it has read", null, s -> s.cursor().high());
    of(registry, "lowest", "The lowest open position", null, s -> s.cursor().lowest());
    of(
        registry,
        "open.ranges",
        "Ranges of positions that are read and not settled",
        null,
        s -> s.lag().openRanges());
    of(
        registry,
        "lacking",
        "1 if something is declared that its owner lacks",
        null,
        s -> s.lacking() == null ? 0 : 1);
    of(registry, "paused", "1 if all of it is paused", null, s -> isPaused(s) ? 1 : 0);
    of(
        registry,
        "pauses",
        "Pauses that hold, of all of it or of a route, a topic or a key",
        null,
        s -> s.pauses().size());
  }

  private static boolean isPaused(SubscriptionState state) {
    return state.pauses().stream()
        .anyMatch(each -> each.scope().kind() == PauseScope.Kind.SUBSCRIPTION);
  }

  /**
   * Starts reading.
   *
   * @param admin reads the database
   * @param registry gets the gauges
   * @param every how long it waits between two reads; a second or more
   * @throws ConfigurationException {@code OUT-021} if that is less than a second
   */
  @SuppressWarnings(
      "FutureReturnValueIgnored") // it ends with its thread, and read() throws nothing
  public static LedgerGauges start(Admin admin, MeterRegistry registry, Duration every) {
    Require.nonNull("admin", admin);
    Require.nonNull("registry", registry);
    if (Require.nonNull("every", every).compareTo(Duration.ofSeconds(1)) < 0) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "every is " + every + " but must be a second or more");
    }
    LedgerGauges gauges = new LedgerGauges(admin, registry);
    gauges.thread.scheduleWithFixedDelay(
        gauges::read, 0, TimeUnit.MILLISECONDS.convert(every), TimeUnit.MILLISECONDS);
    return gauges;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outledger-gauges");
    thread.setDaemon(true);
    return thread;
  }

  private static MultiGauge gauge(
      MeterRegistry registry, String name, String description, @Nullable String unit) {
    return MultiGauge.builder(name).description(description).baseUnit(unit).register(registry);
  }

  private void of(
      MeterRegistry registry,
      String name,
      String description,
      @Nullable String unit,
      ToDoubleFunction<SubscriptionState> value) {
    MultiGauge gauge = gauge(registry, SUBSCRIPTION + name, description, unit);
    ofSubscriptions.add(new OfSubscription(gauge, value));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }

  void read() {
    try {
      show(admin.overview(), admin.consumers(), admin.sagas().stuck());
    } catch (Throwable e) {
      if (isReadable == 1) {
        LOG.warn("the gauges of the ledger could not be read; trying again", Printable.trace(e));
      }
      removeAll();
    }
  }

  private synchronized void removeAll() {
    isReadable = 0;
    show(List.of(), List.of());
    List.of(
            ledgerBytes,
            ledgerOldest,
            ledgerUnread,
            scheduledWaiting,
            scheduledDue,
            scheduledLate,
            sagaStuck)
        .forEach(gauge -> gauge.register(List.of(), true));
  }

  private synchronized void show(
      Overview overview, List<ConsumerState> consumers, Map<String, Count> stuck) {
    if (thread.isShutdown()) {
      return;
    }
    LedgerState ledger = overview.ledger();
    one(ledgerBytes, (double) ledger.bytes());
    one(ledgerOldest, seconds(ledger.age()));
    one(ledgerUnread, ledger.isUnread() ? 1 : 0);
    show(overview.scheduled());
    List<MultiGauge.Row<?>> sagas = new ArrayList<>();
    stuck.forEach((saga, n) -> sagas.add(MultiGauge.Row.of(Tags.of("saga", saga), n.number())));
    sagaStuck.register(sagas, true);
    show(overview.subscriptions(), consumers);
    isReadable = 1;
  }

  private void show(ScheduledState scheduled) {
    one(scheduledWaiting, (double) scheduled.waiting().number());
    one(scheduledDue, (double) scheduled.due().number());
    one(scheduledLate, seconds(scheduled.late()));
  }

  private static void one(MultiGauge gauge, double value) {
    gauge.register(List.of(MultiGauge.Row.of(Tags.empty(), value)), true);
  }

  private void show(List<SubscriptionState> subscriptions, List<ConsumerState> consumers) {
    for (OfSubscription each : ofSubscriptions) {
      List<MultiGauge.Row<?>> rows = new ArrayList<>();
      for (SubscriptionState one : subscriptions) {
        Tags tags =
            Tags.of("subscription", one.name())
                .and("partition", String.valueOf(one.cursor().partition()));
        rows.add(MultiGauge.Row.of(tags, each.value().applyAsDouble(one)));
      }
      each.gauge().register(rows, true);
    }
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    subscriptions.forEach(one -> rows.addAll(parked("subscription", one.name(), one.parked())));
    consumers.forEach(one -> rows.addAll(parked("consumer", one.name(), one.parked())));
    parked.register(rows, true);
  }

  private static List<MultiGauge.Row<?>> parked(String kind, String name, ParkedCounts counts) {
    Tags tags = Tags.of("reader_kind", kind, "reader", name);
    return List.of(
        MultiGauge.Row.of(tags.and("state", "retrying"), counts.retrying().number()),
        MultiGauge.Row.of(tags.and("state", "held"), counts.held().number()),
        MultiGauge.Row.of(tags.and("state", "dead"), counts.dead().number()));
  }

  /**
   * Ends reading, and takes the gauges away: an old number would look like a good one. Idempotent.
   */
  @Override
  public void close() {
    thread.shutdownNow();
    removeAll();
  }
}
