// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.Route;
import io.outledger.store.ParkedState;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an operator has erased or withdrawn is settled in its turn, and nobody publishes it. */
class ErasedMessagesTest {

  private static final Rejected NO = new Rejected("no", Rejected.Kind.DEFINITE);
  private static final Duration RETRY = Duration.ofMillis(500);

  private final RelayBench bench = new RelayBench();

  ErasedMessagesTest() {
    bench.options =
        RelayBench.options()
            .retry(RetryPolicy.DEFAULT.withBackoff(new Backoff(RETRY, RETRY)))
            .build();
  }

  @Test
  void erasedMessageIsPassedOverInEveryRoute() {
    RecordingPublisher other = new RecordingPublisher();
    Relay relay =
        bench.relay(
            List.of(
                new Route("one", bench.publisher, Accepts.everything()),
                new Route("other", other, Accepts.everything())));
    bench.append("k", 1, 3);
    bench.erased.add(2L);
    bench.steps(relay, 3);
    assertThat(bench.published()).containsExactly("k1", "k3");
    assertThat(other.messages()).hasSize(2);
    assertThat(bench.events(RelayEvent.Erased.class)).hasSize(1);
    assertThat(bench.ledger.subscription(RelayBench.SUBSCRIPTION).frontier().high()).isEqualTo(3);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void erasedMessageIsNotKeptForAnInstanceThatHasDeclaredItsType() {
    Relay old = bench.relay(List.of(new Route("out", bench.publisher, Accepts.topics("none"))));
    bench.steps(old, 3);
    Relay young = bench.relay(List.of(new Route("more", bench.publisher, Accepts.everything())));
    bench.steps(young, 1);
    bench.append("k", 1, 2);
    bench.erased.add(1L);
    bench.steps(old, 3);
    assertThat(bench.parked()).extracting(row -> row.message().position()).containsExactly(2L);
  }

  @Test
  void withdrawnMessagesAreNotTriedAndWhatIsHeldBehindThemGoesOn() {
    Relay relay = bench.relay();
    bench.publisher.rejectNext(1, NO);
    bench.append("k", 1, 1);
    bench.steps(relay, 3);
    bench.append("k", 2, 4);
    bench.steps(relay, 3);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(3);
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).withdraw(1);
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).withdraw(3);
    bench.steps(relay, 100);
    assertThat(bench.published()).containsExactly("k2", "k4");
    assertThat(bench.events(RelayEvent.Discarded.class))
        .extracting(each -> each.message().position())
        .containsExactly(1L, 3L);
    assertThat(bench.parked()).isEmpty();
  }

  /** After a crash the message is read again, and only the row tells who is done with it. */
  @Test
  void withdrawnRowStaysUntilEveryRouteHasSettledItsMessage() {
    RecordingPublisher other = new RecordingPublisher();
    List<Route> routes =
        List.of(
            new Route("one", bench.publisher, Accepts.everything()),
            new Route("other", other, Accepts.everything()));
    Relay relay = bench.relay(routes);
    bench.publisher.rejectNext(1, NO);
    other.holdOutcomes();
    bench.append("k", 1, 1);
    bench.steps(relay, 3);
    bench.append("k", 2, 2);
    bench.steps(relay, 3);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(1);
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).withdraw(2);
    bench.steps(relay, 100);
    assertThat(bench.published()).containsExactly("k1");
    assertThat(bench.parked()).hasSize(1);
    Relay successor = bench.relay(routes);
    successor.step();
    bench.clock.advance(RelayBench.LEASE.multipliedBy(2)); // the first one has crashed
    other.releaseOutcomes();
    bench.steps(successor, 100);
    assertThat(bench.published()).doesNotContain("k2");
    assertThat(bench.parked()).isEmpty();
  }
}
