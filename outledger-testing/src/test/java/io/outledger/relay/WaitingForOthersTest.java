// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.store.Declaration;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.testing.ParkedRow;
import io.outledger.testing.RecordingPublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages of more keys than memory is to hold, which wait for an instance that nobody starts. */
class WaitingForOthersTest {

  private static final int WINDOW = 100;

  /** How many keys may be blocked in each of two routes. */
  private static final int KEYS_MAX = 1000;

  private static final Accepts PAID = Accepts.type("paid", 1);
  private static final Accepts REFUNDED = Accepts.type("refunded", 1);
  private static final Accepts BOTH = Accepts.types(Set.of("paid v1", "refunded v1"));

  private final RelayBench bench = new RelayBench();
  private final RecordingPublisher ledger = new RecordingPublisher();
  private final RecordingPublisher refunds = new RecordingPublisher();
  private int number;

  WaitingForOthersTest() {
    bench.options = RelayBench.options().window(w -> w.withMessages(WINDOW)).build();
  }

  private Relay relay(Accepts ofLedger) {
    return bench.relay(List.of(new Route("ledger", ledger, ofLedger)));
  }

  private Relay withRefunds() {
    return bench.relay(
        List.of(new Route("ledger", ledger, PAID), new Route("refunds", refunds, REFUNDED)));
  }

  /** Appends one message to each of so many keys. */
  private void append(int keys, String type) {
    append(IntStream.range(0, keys), type);
  }

  private void append(IntStream keys, String type) {
    bench.ledger.inNewTransaction(
        keys.mapToObj(
                key ->
                    Message.to("money", type)
                        .key("k" + key)
                        .payload(String.valueOf(number++).getBytes(StandardCharsets.UTF_8))
                        .build())
            .toArray(Message[]::new));
  }

  private void end(Relay relay) {
    relay.handOver();
    while (relay.step().state() == StepReport.State.OWNER) {
      bench.clock.advance(Duration.ofMillis(1));
    }
    relay.close();
  }

  private void stepUntilNothingIsParked(Relay relay) {
    for (int i = 0; i < 20_000 && !bench.parked().isEmpty(); i++) {
      bench.steps(relay, 1);
    }
    bench.steps(relay, 500);
    assertThat(bench.parked()).isEmpty();
  }

  private static void assertInOrder(RecordingPublisher publisher, int keys, int ofEach) {
    Map<String, Integer> last = new HashMap<>();
    publisher.messages().forEach(message -> assertThat(isNext(last, message)).isTrue());
    assertThat(last).hasSize(keys);
    assertThat(publisher.messages()).hasSize(keys * ofEach);
  }

  private static boolean isNext(Map<String, Integer> last, Message message) {
    int number = Integer.parseInt(new String(message.payload(), StandardCharsets.UTF_8));
    Integer before = last.put(String.valueOf(message.key()), number);
    return before == null || before < number;
  }

  @Test
  void allKeysOfARouteThatNobodyHadAreWorkedOffInOrder() {
    int keys = 5 * KEYS_MAX;
    end(withRefundsThatStarted());
    Relay old = relay(PAID);
    bench.steps(old, 3);
    append(keys, "refunded");
    bench.steps(old, 200);
    append(keys, "refunded");
    bench.steps(old, 200);
    end(old);
    Relay other = relay(PAID);
    bench.steps(other, 10);
    append(keys, "refunded");
    append(10, "paid");
    bench.steps(other, 200);
    assertThat(bench.parked()).hasSize(3 * keys);
    assertThat(bench.parked(ParkedState.RETRYING)).isPositive().isLessThan(keys);
    assertThat(ledger.messages()).hasSize(10);
    end(other);
    append(IntStream.range(0, keys).map(key -> keys - 1 - key), "refunded"); // not loaded at once
    Relay young = withRefunds();
    bench.steps(young, 20);
    append(keys, "refunded");
    stepUntilNothingIsParked(young);
    assertInOrder(refunds, keys, 5);
    bench.steps(young, 5);
    append(1, "refunded");
    bench.steps(young, 5);
    assertThat(refunds.messages()).hasSize(5 * keys + 1);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void backlogOfARouteHoldsNoMessageOfAnother() {
    end(withRefundsThatStarted());
    Relay old = relay(PAID);
    bench.steps(old, 3);
    append(5 * KEYS_MAX, "refunded");
    bench.steps(old, 200);
    end(old);
    PauseScope route = PauseScope.route("refunds");
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).pause(route, "anna", "the vendor is down");
    Relay young = withRefunds();
    bench.steps(young, 20);
    append(100, "paid");
    bench.steps(young, 20);
    assertThat(ledger.messages()).hasSize(100);
    assertThat(bench.parked()).noneMatch(row -> row.message().route().equals("ledger"));
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).resume(route);
    stepUntilNothingIsParked(young);
    assertInOrder(refunds, 5 * KEYS_MAX, 1);
  }

  private Relay withRefundsThatStarted() {
    Relay young = withRefunds();
    bench.steps(young, 3);
    return young;
  }

  @Test
  void ownerThatLacksATypeOfItsRouteReadsNoMoreThanItMayRemember() {
    int keysMax = 2 * KEYS_MAX;
    Relay old = lacksRefunds(keysMax);
    int polls = bench.calls("poll");
    bench.steps(old, 100);
    assertThat(bench.calls("poll")).as("reading waits").isEqualTo(polls);
    assertThat(bench.parked().size()).isBetween(keysMax, keysMax + 2 * WINDOW);
    assertThat(bench.events(RelayEvent.TooManyKeys.class))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.reason())
                    .isEqualTo(
                        event.keys()
                            + " until they are resumed, because this instance does not have"
                            + " route ledger, type refunded v1"));
    Relay young = relay(BOTH);
    bench.steps(young, 1);
    for (int i = 0; i < 2 * RelayBench.LEASE.toSeconds(); i++) {
      bench.clock.advance(Duration.ofSeconds(1));
      bench.steps(old, 1);
      bench.steps(young, 1);
    }
    assertThat(bench.events(RelayEvent.HandsOver.class)).hasSize(1);
    old.close();
    stepUntilNothingIsParked(young);
    assertInOrder(ledger, 2 * keysMax, 2);
  }

  @Test
  void readsOnWhenTheDeclarationIsEnded() {
    int keysMax = 2 * KEYS_MAX;
    Relay old = lacksRefunds(keysMax);
    bench.ledger.endDeclaration(
        RelayBench.SUBSCRIPTION, new Declaration("ledger", Declaration.Takes.TYPE, "refunded v1"));
    for (int i = 0; i < 40; i++) {
      bench.clock.advance(Duration.ofSeconds(1));
      bench.steps(old, 1);
    }
    stepUntilNothingIsParked(old);
    assertInOrder(ledger, 2 * keysMax, 1);
    assertThat(bench.events(RelayEvent.TooManyKeys.class)).hasSize(1);
    assertThat(bench.events(RelayEvent.FewerKeys.class)).hasSize(1);
  }

  /** Returns an owner that lacks a type, of which there are more keys than it may remember. */
  private Relay lacksRefunds(int keysMax) {
    Relay young = relay(BOTH);
    bench.steps(young, 3);
    end(young);
    Relay old = relay(PAID);
    bench.steps(old, 3);
    append(2 * keysMax, "refunded");
    append(2 * keysMax, "paid");
    bench.steps(old, 200);
    return old;
  }

  @Test
  void whatIsKeptForAnotherInstanceIsNotWrittenAgain() {
    end(withTypeThatStarted());
    Relay old = relay(PAID);
    bench.steps(old, 3);
    append(20, "refunded");
    for (int i = 0; i < 600; i++) {
      bench.clock.advance(Duration.ofSeconds(1));
      bench.steps(old, 2);
    }
    end(old);
    Relay next = relay(PAID);
    bench.steps(next, 10);
    pauseAndResumeAnother(next);
    assertThat(bench.events(RelayEvent.Parked.class)).as("each is written once").hasSize(20);
    assertThat(bench.parked()).extracting(ParkedRow::nextAttemptAt).containsOnlyNulls();
    end(next);
    Relay young = relay(BOTH);
    bench.steps(young, 10);
    assertThat(ledger.messages()).as("at once").hasSize(20);
    assertThat(bench.parked()).isEmpty();
  }

  private void pauseAndResumeAnother(Relay relay) {
    PauseScope other = PauseScope.topic("other");
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).pause(other, "anna", "no paper");
    bench.steps(relay, 10);
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).resume(other);
    bench.steps(relay, 10);
  }

  private Relay withTypeThatStarted() {
    Relay young = relay(BOTH);
    bench.steps(young, 3);
    return young;
  }
}
