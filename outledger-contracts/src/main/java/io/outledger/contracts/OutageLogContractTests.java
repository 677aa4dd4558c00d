// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayLog;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** That a relay whose destination is away fills no log, whatever the destination's library logs. */
abstract class OutageLogContractTests extends PublisherContractTests {

  private static final Duration LASTS = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int PROBES = 2;

  /** More than one a second comes at first, when a client has not slowed down yet. */
  private static final int FIRST_MAX = 3;

  private final TimeSource time = TimeSource.system();
  private final InMemoryLedger ledger = new InMemoryLedger(time);
  private final BlockingQueue<RelayEvent> outages = new LinkedBlockingQueue<>();

  @Test
  void outageIsLoggedOnceASecondForACauseAtMost() {
    List<Message> messages = messages(10, 5);
    RunningRelay relay = RunningRelay.start(relay(), "contract", time, LASTS);
    try {
      ledger.inNewTransaction(messages.get(0));
      arrivalsOf(messages.subList(0, 1));
      long started = time.nanoTime();
      List<String> entries = fixture().logOf(() -> probeWhileAway(messages.subList(1, 10)));
      long seconds = Duration.ofNanos(time.nanoTime() - started).toSeconds();
      fixture().bringBack();
      assertThat(causes(entries))
          .allSatisfy(
              (cause, count) ->
                  assertThat(count).as("%s", cause).isLessThanOrEqualTo(most(cause, seconds)));
      arrivalsOf(messages);
    } finally {
      relay.close();
    }
  }

  /** What is of no concern may be told at each attempt to connect again, which a client paces. */
  private static long most(String cause, long seconds) {
    long once = seconds + FIRST_MAX;
    return cause.startsWith("INFO") ? 2 * once : once;
  }

  private Relay relay() {
    RelayLog log = new RelayLog("contract", time);
    Relay relay =
        new Relay(
            ledger.relayStore("contract", Start.EARLIEST),
            List.of(Route.only(fixture().publisher())),
            RelayOptions.builder().lease(SHORT_DELIVERY_TIME_MAX.multipliedBy(2)).build(),
            event -> {
              log.on(event);
              if (event instanceof RelayEvent.OutageBegan) {
                outages.add(event);
              }
            },
            new Relay.Surroundings(time, new Random(1)));
    ledger.onCommit(relay.wakeup()::signal);
    return relay;
  }

  private void probeWhileAway(List<Message> messages) {
    fixture().takeAway();
    ledger.inNewTransaction(messages.toArray(Message[]::new));
    long started = time.nanoTime();
    int probes = 0;
    long nanos = 0;
    while (nanos < LASTS.toNanos() || probes < PROBES) {
      assertThat(nanos).as("nanoseconds for %s probes", probes).isLessThan(PATIENCE.toNanos());
      probes += nextOutage() ? 1 : 0;
      nanos = time.nanoTime() - started;
    }
  }

  private boolean nextOutage() {
    try {
      return outages.poll(LASTS.toMillis() / 10, TimeUnit.MILLISECONDS) != null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted in an outage", e);
    }
  }

  /** Counts the entries of each cause: entries that differ in numbers alone have one. */
  private static Map<String, Long> causes(List<String> entries) {
    return entries.stream()
        .map(
            entry ->
                entry.lines().findFirst().orElse("").replaceAll("[0-9a-f-]*[0-9][0-9a-f-]*", "#"))
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }
}
