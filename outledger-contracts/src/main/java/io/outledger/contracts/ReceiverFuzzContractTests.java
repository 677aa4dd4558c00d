// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Thousands of messages that strangers send beside good ones. Each good one takes effect once, and
 * each other one takes effect once, too, is named, or is parked. {@code
 * -Doutledger.strangers=10000} says how many, {@code -Doutledger.seed=7} replays a run, and {@code
 * -Doutledger.strangers.into=FILE} has its figures added to a file.
 */
@Tag("fuzz")
abstract class ReceiverFuzzContractTests extends ReceiverContractTests {

  private static final int COUNT = Integer.getInteger("outledger.strangers", 1_000);
  private static final long SEED = Long.getLong("outledger.seed", 1);
  private static final int GOOD_EVERY = 20;

  /** Brokers drop what waits for too long a queue. */
  private static final int AHEAD_MAX = 300;

  private static final int LOG_LINES_MAX = 2_000;

  private static final Duration LOOK = Duration.ofMillis(250);

  /** For so many of these nothing may happen. */
  private static final int STANDSTILL_LOOKS = 240;

  private static final ReceiverOptions FEW_ATTEMPTS =
      OPTIONS.withRetry(OPTIONS.retry().withAttemptsMax(3));

  private final AtomicLong told = new AtomicLong();
  private final List<Message> good = new ArrayList<>();
  private int taken;

  @Test
  final void strangersOfEveryKindCostNoGoodMessageItsEffect() {
    List<String> log = fixture().logOf(this::sendAndReceive);
    long lines = log.stream().mapToLong(entry -> entry.lines().count()).sum();
    record(lines);
    assertThat(named()).isPositive();
    assertThat(handledIds()).containsAll(ids(good));
    assertThat(store.handled()).extracting(Received::inboxId).doesNotHaveDuplicates();
    assertInOrder(good, store.handled());
    int effects = store.handled().size() - good.size();
    assertThat(effects + named() + store.parked().size())
        .as(
            "strangers of which %s took effect, %s were named and %s are parked, seed %s",
            effects, named(), store.parked().size(), SEED)
        .isGreaterThanOrEqualTo(taken);
    assertThat(lines).as("lines of the log, -Doutledger.seed=%s", SEED).isLessThan(LOG_LINES_MAX);
  }

  private void sendAndReceive() {
    OpenReceiver receiver = start(store.handler(), FEW_ATTEMPTS, reason -> told.incrementAndGet());
    Fuzz fuzz = new Fuzz(new Random(SEED));
    try (Sender sender =
        new Sender(fixture().publisher(), PublisherContractTests.DELIVERY_TIME_MAX)) {
      for (int i = 0; i < COUNT; i++) {
        taken += fixture().sendFuzz(fuzz) ? 1 : 0;
        if (i % GOOD_EVERY == 0 || i == COUNT - 1) {
          List<Message> some = messages(4, 4);
          assertThat(sender.sendAll(some)).allMatch(Outcome.Published.class::isInstance);
          good.addAll(some);
          awaitAllBut(AHEAD_MAX);
        }
      }
    }
    awaitAllBut(0);
    assertThat(receiver.isRunning()).isTrue();
  }

  /** Awaits the acknowledgement of all but those that may be on their way. */
  private void awaitAllBut(int ahead) {
    long before = -1;
    while (!isSeenBut(ahead) && before != seen()) {
      before = seen();
      for (int i = 0; i < STANDSTILL_LOOKS && !isSeenBut(ahead) && before == seen(); i++) {
        letPass(LOOK);
      }
    }
    assertThat(seen())
        .as("acknowledged, of which %s named, -Doutledger.seed=%s", named(), SEED)
        .isGreaterThanOrEqualTo(taken + good.size() - ahead);
  }

  private boolean isSeenBut(int ahead) {
    return seen() >= taken + good.size() - ahead
        && (ahead > 0 || handledIds().containsAll(ids(good)));
  }

  /** Whatever is acknowledged took effect, now or before, is parked, or was named. */
  private long seen() {
    return events.stream()
        .filter(ReceiverEvent.Acknowledged.class::isInstance)
        .mapToLong(event -> ((ReceiverEvent.Acknowledged) event).deliveries())
        .sum();
  }

  private long named() {
    long setAside = events.stream().filter(ReceiverEvent.SetAside.class::isInstance).count();
    return Math.min(setAside, told.get());
  }

  private void record(long lines) {
    String into = System.getProperty("outledger.strangers.into");
    if (into == null) {
      return;
    }
    String figures =
        ("{\"receiver\":\"%s\",\"command\":\"proof/strangers --count %s --seed %s\","
                + "\"taken\":%s,\"named\":%s,\"good\":%s,\"logLines\":%s}%n")
            .formatted(name(), COUNT, SEED, taken, named(), good.size(), lines);
    try {
      Files.writeString(
          Path.of(into), figures, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new AssertionError("cannot record " + figures, e);
    }
  }

  /** Returns what the figures are recorded under. */
  abstract String name();
}
