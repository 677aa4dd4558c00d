// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
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

  private final RelayBench bench = new RelayBench();

  @Test
  void messagesBehindABlockedKeyAreHeldSaveBySave() {
    bench.options =
        RelayBench.options()
            .retry(RetryPolicy.DEFAULT.withBackoff(new Backoff(LATER, LATER)))
            .build();
    bench.publisher.rejectNext(1, new Outcome.Rejected("no", Outcome.Rejected.Kind.DEFINITE));
    bench.append("a", 1, 1);
    Relay relay = bench.relay();
    bench.steps(relay, 2);
    bench.eachChangeTakes = SLOW;
    bench.append("a", 2, 2_000);
    bench.steps(relay, 300);
    assertThat(bench.parked()).hasSize(2_000);
    assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
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
                new Route("away", bench.publisher, message -> true),
                new Route("there", other, message -> true)));
    bench.publisher.goDown();
    bench.append("first", 1, 1);
    bench.steps(relay, 5);
    bench.eachChangeTakes = SLOW;
    for (int key = 1; key <= 2_000; key++) {
      bench.append("k" + key, 1, 1);
    }
    bench.steps(relay, 300);
    assertThat(other.messages()).hasSize(2_001);
    assertThat(bench.events(RelayEvent.LeaseLost.class)).isEmpty();
  }
}
