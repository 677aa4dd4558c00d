// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.Subject;
import io.outledger.relay.options.Route;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A grant ends while nobody knows what became of those behind a rejected message of their key. */
class OvertakenAtTheEndTest {

  private static final Outcome REJECTED =
      new Outcome.Rejected("the test rejects it", Outcome.Rejected.Kind.DEFINITE);

  private final RelayBench bench = new RelayBench();
  private final ByHand destination = new ByHand(KeyOrder.PIPELINED);
  private final Relay relay = bench.relay(List.of(Route.only(destination)));

  OvertakenAtTheEndTest() {
    bench.append("a", 1, 2);
    bench.steps(relay, 2);
  }

  /** Moves the subscription, so that its owner forgets all and begins again. */
  private void endTheGrant() {
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).move(Start.EARLIEST);
    bench.steps(relay, 1);
    assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
    assertThat(bench.events(RelayEvent.Moved.class)).hasSize(1);
  }

  private void assertThatTheFirstIsTold() {
    assertThat(bench.events(RelayEvent.OvertakenByKey.class))
        .containsExactly(
            new RelayEvent.OvertakenByKey(
                new Subject(RelayBench.message("a", 1).id(), "a", 1, "")));
  }

  @Test
  void rejectedMessageIsToldOfBecauseItsFollowerMayGetThrough() {
    destination.report(1, REJECTED);
    bench.steps(relay, 1);
    assertThat(bench.events(RelayEvent.OvertakenByKey.class)).isEmpty();
    endTheGrant();
    assertThatTheFirstIsTold();
  }

  @Test
  void rejectionThatComesAsTheClientClosesIsToldOfAsWell() {
    destination.onClose =
        () -> {
          destination.report(1, REJECTED);
          destination.report(2, Outcome.PUBLISHED);
        };
    endTheGrant();
    assertThatTheFirstIsTold();
  }

  @Test
  void nothingIsToldWhereTheFollowerWasRejectedAsWell() {
    destination.report(1, REJECTED);
    destination.report(2, REJECTED);
    bench.steps(relay, 1);
    endTheGrant();
    assertThat(bench.events(RelayEvent.OvertakenByKey.class)).isEmpty();
  }

  @Test
  void nothingIsToldOfAMessageThatWasNotAnsweredWhereTheLineBreaksBehindIt() {
    bench.ledger.inNewTransaction(RelayBench.message("b", 1, "another topic"));
    bench.steps(relay, 1);
    bench.clock.advance(Duration.ofSeconds(4));
    destination.report(3, Outcome.PUBLISHED);
    destination.report(1, Outcome.unanswered("its queue has no leader"));
    bench.steps(relay, 1);
    assertThat(bench.events(RelayEvent.BreakerOpened.class)).hasSize(1);
    destination.report(2, Outcome.unavailable("the line broke"));
    bench.steps(relay, 1);
    assertThat(bench.events(RelayEvent.OutageBegan.class)).hasSize(1);
    assertThat(bench.events(RelayEvent.OvertakenByKey.class)).isEmpty();
  }
}
