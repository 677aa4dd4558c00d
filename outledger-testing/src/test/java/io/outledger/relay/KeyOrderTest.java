// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * An earlier message of a key may be on its way, at the gate, postponed, kept back, queued or
 * parked: wherever it is, a later one of the key is neither sent nor parked before it.
 */
class KeyOrderTest {

  private static final Outcome.Rejected REJECTED =
      new Outcome.Rejected("no", Outcome.Rejected.Kind.DEFINITE);
  private static final Outcome.Rejected BEHIND =
      new Outcome.Rejected("behind", Outcome.Rejected.Kind.BEHIND);

  private final RelayBench bench = new RelayBench();

  private boolean isTransformBroken;

  private void breakTransformOf(String topic) {
    isTransformBroken = true;
    bench.options =
        RelayBench.options()
            .transforms(
                Transforms.NONE.withMap(
                    message -> {
                      if (isTransformBroken && message.topic().equals(topic)) {
                        throw new IllegalStateException("planted");
                      }
                      return message;
                    }))
            .build();
  }

  private void append(String key, int number, String topic) {
    bench.ledger.inNewTransaction(RelayBench.message(key, number, topic));
  }

  private void run(Relay relay, int steps) {
    for (int i = 0; i < steps; i++) {
      bench.steps(relay, 1);
      bench.clock.advance(Duration.ofMillis(500));
    }
  }

  @Test
  void followerThatIsFreeWaitsForWhatABreakerHasJustReleased() {
    ByHand destination = new ByHand(KeyOrder.PIPELINED);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    append("a", 1, "t1");
    append("a", 2, "t1");
    append("b", 1, "t1");
    bench.steps(relay, 3);
    assertThat(destination.sent).containsExactly(1L, 2L, 3L);
    destination.report(1, Outcome.topicUnavailable("full"));
    destination.report(2, BEHIND);
    destination.report(3, Outcome.PUBLISHED);
    destination.acceptsAll = true;
    run(relay, 40);
    assertThat(destination.sent).containsExactly(1L, 2L, 3L, 1L, 2L);
  }

  @Test
  void rejectionOfALaterOneWaitsBehindOneThatABreakerKeepsBack() {
    ByHand destination = new ByHand(KeyOrder.PIPELINED);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    append("a", 1, "t1");
    append("a", 2, "t2");
    bench.steps(relay, 3);
    destination.report(1, Outcome.topicUnavailable("full"));
    destination.report(2, REJECTED);
    destination.acceptsAll = true;
    bench.steps(relay, 3);
    run(relay, 100);
    assertThat(destination.sent).containsExactly(1L, 2L, 1L, 2L);
  }

  @Test
  void whatAnotherInstanceIsToHaveIsNotParkedBeforeOneThatABreakerKeepsBack() {
    ByHand destination = new ByHand(KeyOrder.ONE_AT_A_TIME);
    Relay relay = bench.relay(List.of(new Route("", destination, Accepts.topics("t1"))));
    bench.steps(relay, 1);
    bench.relay(List.of(new Route("", destination, Accepts.topics("t1", "t2")))).declare();
    append("a", 1, "t1");
    append("a", 2, "t2");
    bench.steps(relay, 3);
    assertThat(destination.sent).containsExactly(1L);
    destination.report(1, Outcome.topicUnavailable("full"));
    destination.acceptsAll = true;
    bench.steps(relay, 3);
    run(relay, 200);
    assertThat(destination.sent).containsExactly(1L, 1L);
  }

  @Test
  void whatATransformRefusesIsNotParkedBeforeOneThatABreakerKeepsBack() {
    breakTransformOf("t2");
    ByHand destination = new ByHand(KeyOrder.ONE_AT_A_TIME);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    append("a", 1, "t1");
    append("a", 2, "t2");
    bench.steps(relay, 3);
    destination.report(1, Outcome.topicUnavailable("full"));
    bench.steps(relay, 3);
    isTransformBroken = false;
    destination.acceptsAll = true;
    run(relay, 200);
    assertThat(destination.sent).containsExactly(1L, 1L, 2L);
  }

  @Test
  void theSameWhereThePublisherPipelines() {
    ByHand destination = new ByHand(KeyOrder.PIPELINED);
    Relay relay = bench.relay(List.of(new Route("", destination, Accepts.topics("t1"))));
    bench.steps(relay, 1);
    bench.relay(List.of(new Route("", destination, Accepts.topics("t1", "t2")))).declare();
    append("a", 1, "t1");
    append("a", 2, "t2");
    bench.steps(relay, 3);
    destination.report(1, Outcome.topicUnavailable("full"));
    destination.acceptsAll = true;
    bench.steps(relay, 3);
    run(relay, 200);
    assertThat(destination.sent).containsExactly(1L, 1L);
  }

  @Test
  void rejectionOfAnotherTypeWaitsBehindOneThatABreakerKeepsBack() {
    bench.options =
        RelayBench.options()
            .breaker(
                new BreakerPolicy(
                    2,
                    Duration.ofMinutes(1),
                    new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5)),
                    100))
            .build();
    ByHand destination = new ByHand(KeyOrder.PIPELINED);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    append("x", 1, "t1");
    append("a", 1, "t1");
    append("a", 2, "t2");
    bench.steps(relay, 3);
    destination.report(1, Outcome.suspect("no"));
    destination.report(2, Outcome.suspect("no"));
    destination.report(3, Outcome.suspect("no"));
    destination.acceptsAll = true;
    bench.steps(relay, 2);
    run(relay, 200);
    assertThat(destination.sent.indexOf(2L)).isLessThan(destination.sent.lastIndexOf(3L));
    assertThat(destination.sent.subList(3, destination.sent.size()).stream().filter(p -> p > 1))
        .containsExactly(2L, 3L);
  }

  @Test
  void rejectionWaitsBehindOneThatWasPostponed() {
    ByHand destination = new ByHand(KeyOrder.PIPELINED);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    append("a", 1, "t1");
    append("a", 2, "t1");
    append("a", 3, "t1");
    bench.steps(relay, 3);
    destination.report(2, REJECTED);
    bench.steps(relay, 1);
    destination.report(1, Outcome.PUBLISHED);
    destination.report(3, REJECTED);
    destination.acceptsAll = true;
    run(relay, 40);
    assertThat(destination.sent).containsExactly(1L, 2L, 3L, 2L, 3L);
  }

  @Test
  void rowIsNotWaitedForWhileAnEarlierOneIsHeld() {
    bench.options =
        RelayBench.options()
            .retry(
                RetryPolicy.DEFAULT.withBackoff(
                    new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1))))
            .build();
    ByHand destination = new ByHand(KeyOrder.PIPELINED);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    for (int i = 1; i <= 3; i++) append("a", i, "t1");
    bench.steps(relay, 3);
    destination.report(1, REJECTED);
    destination.report(2, REJECTED); // held behind 1
    bench.steps(relay, 2);
    for (int i = 0; i < 5; i++) {
      bench.clock.advance(Duration.ofMillis(500));
      bench.steps(relay, 1);
    }
    assertThat(destination.sent).containsExactly(1L, 2L, 3L, 1L);
    destination.report(1, Outcome.PUBLISHED);
    bench.steps(relay, 2);
    destination.report(3, REJECTED); // it has been on its way all the time
    destination.acceptsAll = true;
    run(relay, 40);
    assertThat(destination.sent).containsExactly(1L, 2L, 3L, 1L, 2L, 3L);
  }

  @Test
  void rollOutWhileABreakerIsOpenKeepsTheOrder() {
    bench.options =
        RelayBench.options()
            .breaker(
                new BreakerPolicy(
                    2,
                    Duration.ofMinutes(1),
                    new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5)),
                    100))
            .build();
    ByHand destination = new ByHand(KeyOrder.ONE_AT_A_TIME);
    Relay old = bench.relay(List.of(new Route("mail", destination, Accepts.topics("t1"))));
    bench.steps(old, 1);
    Relay young = bench.relay(List.of(new Route("mail", destination, Accepts.topics("t1", "t2"))));
    young.declare();
    append("x", 1, "t1");
    append("a", 1, "t1");
    append("a", 2, "t2");
    bench.steps(old, 3);
    destination.report(1, Outcome.suspect("throws"));
    destination.report(2, Outcome.suspect("throws"));
    bench.steps(old, 2);
    old.close();
    destination.acceptsAll = true;
    run(young, 300);
    assertThat(destination.sent.stream().filter(p -> p > 1)).endsWith(2L, 3L);
  }

  @Test
  void deadLetterDoesNotBlockAnEarlierOneThatABreakerKeepsBack() {
    bench.options =
        RelayBench.options()
            .retry(
                new RetryPolicy(
                    10,
                    new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)),
                    RetryPolicy.DeadLetter.KEY_STAYS_BLOCKED))
            .build();
    ByHand destination = new ByHand(KeyOrder.ONE_AT_A_TIME);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    append("a", 1, "t1");
    append("a", 2, "t1");
    bench.ledger.makeUnreadable(2);
    bench.steps(relay, 3);
    destination.report(1, Outcome.topicUnavailable("missing"));
    destination.acceptsAll = true;
    bench.steps(relay, 2);
    run(relay, 300);
    assertThat(destination.sent).containsExactly(1L, 1L);
  }

  @Test
  void outageBehindARefusalKeepsTheOrder() {
    breakTransformOf("t2");
    ByHand destination = new ByHand(KeyOrder.ONE_AT_A_TIME);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    append("a", 1, "t1");
    append("a", 2, "t2");
    append("b", 1, "t1");
    bench.steps(relay, 3);
    destination.report(3, Outcome.unavailable("cut"));
    bench.steps(relay, 3);
    isTransformBroken = false;
    destination.acceptsAll = true;
    run(relay, 100);
    assertThat(destination.sent.indexOf(2L)).isEqualTo(destination.sent.lastIndexOf(2L));
    assertThat(destination.sent.lastIndexOf(1L)).isLessThan(destination.sent.indexOf(2L));
  }
}
