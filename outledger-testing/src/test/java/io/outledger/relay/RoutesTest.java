// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static io.outledger.relay.RelayBench.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.testing.RecordingPublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which messages a route takes, and which it starts. */
class RoutesTest {

  private final RelayBench bench = new RelayBench();

  private static Route route(String topic, RecordingPublisher publisher) {
    return new Route(topic, publisher, Accepts.topics(topic));
  }

  @Test
  void eachRouteTakesWhatItWantsAndTheRestIsPassedOver() {
    RecordingPublisher mails = new RecordingPublisher();
    Relay relay = bench.relay(List.of(route("orders", bench.publisher), route("mails", mails)));
    bench.ledger.inNewTransaction(
        message("o", 1, "orders"), message("m", 1, "mails"), message("x", 1, "audit"));
    bench.steps(relay, 2);
    assertThat(bench.published()).containsExactly("o1");
    assertThat(mails.messages("m")).hasSize(1);
    assertThat(mails.messages()).hasSize(1);
    assertThat(bench.events(RelayEvent.Saved.class))
        .containsExactly(new RelayEvent.Saved(new Frontier(3, Positions.NONE), 2, 1));
  }

  @Test
  void handOverRepeatsNothingThatOneRouteHasDoneAndAnotherHasNotBegun() {
    ByHand fast = new ByHand(KeyOrder.ONE_AT_A_TIME);
    fast.acceptsAll = true;
    ByHand slow = new ByHand(KeyOrder.ONE_AT_A_TIME);
    List<Route> routes =
        List.of(
            new Route(
                "fast",
                fast,
                Accepts.rule("not slow only", message -> !"slow only".equals(message.key()))),
            new Route("slow", slow, Accepts.everything()));
    bench.append("a", 1, 3);
    bench.append("slow only", 1, 2);
    Relay relay = bench.relay(routes);
    bench.steps(relay, 2);
    assertThat(slow.sent).containsExactly(1L, 4L);
    relay.handOver();
    slow.report(1, Outcome.PUBLISHED);
    slow.report(4, Outcome.PUBLISHED);
    assertThat(relay.step().state()).isEqualTo(StepReport.State.RELEASED);
    relay.close();
    slow.acceptsAll = true;
    Relay successor = bench.relay(routes);
    for (int steps = 0; steps < 100 && slow.sent.size() < 5; steps++) {
      bench.steps(successor, 1);
      bench.clock.advance(Duration.ofMillis(500));
    }
    assertThat(fast.sent).containsExactly(1L, 2L, 3L);
    assertThat(slow.sent).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L).containsSubsequence(2L, 3L);
    bench.steps(successor, 2);
    assertThat(bench.parked()).isEmpty();
  }

  /** A page's transforms take two leases; the owner renews its lease between the messages. */
  @Test
  void slowTransformsUseUpNoLease() {
    int pageMessages = 100;
    List<Relay> standby = new ArrayList<>();
    bench.options =
        RelayBench.options()
            .polling(p -> p.withPageMessagesMax(pageMessages))
            .transforms(
                Transforms.NONE.withMap(
                    message -> {
                      bench.clock.advance(RelayBench.LEASE.dividedBy(pageMessages / 2));
                      standby.forEach(Relay::step);
                      return message;
                    }))
            .build();
    bench.append("a", 1, 3 * pageMessages);
    Relay relay = bench.relay();
    StepReport report = relay.step();
    standby.add(bench.relay());
    for (int steps = 0; steps < 100 && bench.published().size() < 3 * pageMessages; steps++) {
      report = relay.step();
    }
    assertThat(bench.published()).hasSize(3 * pageMessages).doesNotHaveDuplicates();
    assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
    assertThat(report.state()).isEqualTo(StepReport.State.OWNER);
  }

  /** A page's conditions take two leases. */
  @Test
  void slowConditionsOfRoutesUseUpNoLease() {
    int pageMessages = 100;
    bench.options = RelayBench.options().polling(p -> p.withPageMessagesMax(pageMessages)).build();
    Route slow =
        new Route(
            "slow",
            bench.publisher,
            Accepts.rule(
                "slow",
                message -> {
                  bench.clock.advance(RelayBench.LEASE.dividedBy(pageMessages / 2));
                  return true;
                }));
    assertThat(slow.acceptsAll()).isFalse();
    assertThat(Route.only(bench.publisher).acceptsAll()).isTrue();
    bench.append("a", 1, pageMessages);
    Relay relay = bench.relay(List.of(slow));
    for (int steps = 0; steps < 100 && bench.published().size() < pageMessages; steps++) {
      relay.step();
    }
    assertThat(bench.published()).hasSize(pageMessages).doesNotHaveDuplicates();
    assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
  }

  @Test
  void slowPublisherUsesUpNoLease() {
    ByHand destination = new ByHand(KeyOrder.PIPELINED);
    destination.acceptsAll = true;
    destination.onSend = () -> bench.clock.advance(Duration.ofMillis(4));
    bench.append("a", 1, 6_000);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    for (int steps = 0; steps < 100 && destination.sent.size() < 6_000; steps++) {
      relay.step();
    }
    assertThat(destination.sent).hasSize(6_000).doesNotHaveDuplicates();
    assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
  }

  @Test
  void whatTheTransformsMakeOfAMessageIsPublished() {
    byte[] mapped = "mapped".getBytes(StandardCharsets.UTF_8);
    bench.options =
        RelayBench.options()
            .transforms(Transforms.NONE.withMap(message -> message.copy().payload(mapped).build()))
            .build();
    bench.append("a", 1, 1);
    bench.steps(bench.relay(), 2);
    assertThat(bench.published()).containsExactly("mapped");
  }

  @Test
  void nextMessageOfAKeyIsNotStartedOnceTheRelayHandsOver() {
    ByHand destination = new ByHand(KeyOrder.ONE_AT_A_TIME);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    bench.append("a", 1, 2);
    bench.steps(relay, 2);
    relay.handOver();
    destination.report(1, Outcome.PUBLISHED);
    assertThat(relay.step().state()).isEqualTo(StepReport.State.RELEASED);
    assertThat(destination.sent).containsExactly(1L);
    assertThat(bench.events(RelayEvent.LeaseReleased.class))
        .containsExactly(new RelayEvent.LeaseReleased(new Frontier(2, Positions.of(2))));
  }

  @Test
  void nextMessageOfAKeyIsStartedInTheStepThatHearsOfTheOneBefore() {
    ByHand destination = new ByHand(KeyOrder.ONE_AT_A_TIME);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    bench.append("a", 1, 3);
    bench.steps(relay, 2);
    destination.report(1, Outcome.PUBLISHED);
    bench.steps(relay, 1);
    assertThat(destination.sent).containsExactly(1L, 2L);
  }
}
