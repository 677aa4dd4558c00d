// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.Route;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A database that takes its time for each parked row: no save may outlast the lease. */
class SlowSavesTest {

  /** A thousand rows take twice a lease. */
  private static final Duration SLOW = RelayBench.LEASE.dividedBy(500);

  private static final Duration LATER = Duration.ofDays(1);
  private static final Duration SOON = Duration.ofMillis(50);
  private static final Outcome.Rejected NO =
      new Outcome.Rejected("no", Outcome.Rejected.Kind.DEFINITE);

  private final RelayBench bench = new RelayBench();

  @Test
  void messagesBehindABlockedKeyAreHeldSaveBySave() {
    bench.options = rarelyRetrying();
    bench.publisher.rejectNext(1, NO);
    bench.append("a", 1, 1);
    Relay relay = bench.relay();
    bench.steps(relay, 2);
    bench.eachChangeTakes = SLOW;
    bench.append("a", 2, 2_000);
    bench.steps(relay, 300);
    assertThat(bench.parked()).hasSize(2_000);
    assertThatNoSaveOutlastsTheLease(bench);
  }

  @Test
  void messagesQueuedBehindOneThatIsRejectedAreHeldSaveBySave() {
    RelayBench oneAtATime = new RelayBench(KeyOrder.ONE_AT_A_TIME);
    oneAtATime.options = rarelyRetrying();
    oneAtATime.publisher.rejectNext(1, NO);
    oneAtATime.publisher.holdOutcomes();
    oneAtATime.append("a", 1, 2_000);
    Relay relay = oneAtATime.relay();
    oneAtATime.steps(relay, 5);
    oneAtATime.eachChangeTakes = SLOW;
    oneAtATime.publisher.releaseOutcomes();
    oneAtATime.steps(relay, 300);
    assertThat(oneAtATime.parked()).hasSize(2_000);
    assertThatNoSaveOutlastsTheLease(oneAtATime);
  }

  /** What comes meanwhile is held behind it, save by save, and must not do so for ever. */
  @Test
  void keyThatIsFreeAgainIsWorkedOffWhileMoreOfItComes() {
    bench.options =
        RelayBench.options()
            .retry(RetryPolicy.DEFAULT.withBackoff(new Backoff(SOON, SOON)))
            .polling(polling -> polling.withPageMessagesMax(200))
            .build();
    bench.eachChangeTakes = RelayBench.LEASE.dividedBy(300);
    bench.publisher.rejectNext(5, NO);
    Relay relay = bench.relay();
    for (int step = 0; step < 100; step++) {
      bench.append("a", 1 + 150 * step, 150 * (step + 1));
      bench.steps(relay, 1);
    }
    System.out.println(
        "DBG2 "
            + bench.published().size()
            + " "
            + bench.parked().size()
            + bench.events.stream()
                .filter(e -> e instanceof RelayEvent.Wrote || e instanceof RelayEvent.LeaseLost)
                .limit(60)
                .toList());
    assertThat(bench.published()).hasSizeGreaterThan(500);
    assertThatNoSaveOutlastsTheLease(bench);
  }

  @Test
  void messagesForADestinationThatIsAwayAreSetAsideSaveBySave() {
    RecordingPublisher other = new RecordingPublisher();
    bench.options =
        RelayBench.options()
            .outage(outage -> outage.withHoldsUpOthersMax(Duration.ZERO))
            .window(window -> window.withMessages(3_000))
            .polling(polling -> polling.withPageMessagesMax(700))
            .build();
    Relay relay =
        bench.relay(
            List.of(
                new Route("away", bench.publisher, Accepts.everything()),
                new Route("there", other, Accepts.everything())));
    bench.publisher.goDown();
    bench.append("first", 1, 1);
    bench.steps(relay, 5);
    bench.eachChangeTakes = SLOW;
    for (int key = 1; key <= 2_000; key++) {
      bench.append("k" + key, 1, 1);
    }
    bench.steps(relay, 300);
    assertThat(other.messages()).hasSize(2_001);
    assertThatNoSaveOutlastsTheLease(bench);
  }

  private static RelayOptions rarelyRetrying() {
    return RelayBench.options()
        .retry(RetryPolicy.DEFAULT.withBackoff(new Backoff(LATER, LATER)))
        .build();
  }

  private static void assertThatNoSaveOutlastsTheLease(RelayBench bench) {
    assertThat(bench.events(RelayEvent.Wrote.class))
        .extracting(RelayEvent.Wrote::took)
        .allSatisfy(took -> assertThat(took).isLessThan(RelayBench.LEASE));
    assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
  }
}
