// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.store.Declaration;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A standby that has what the owner lacks. */
class OfferTest {

  private static final Accepts PAID = Accepts.type("paid", 1);
  private static final Accepts REFUNDED = Accepts.type("refunded", 1);

  private final RelayBench bench = new RelayBench();

  private Relay old() {
    return bench.relay(List.of(new Route("ledger", bench.publisher, PAID)));
  }

  private Relay young() {
    return bench.relay(
        List.of(
            new Route("ledger", bench.publisher, PAID),
            new Route("refunds", bench.publisher, REFUNDED)));
  }

  /** Each time is a write, of which the owner's next page shows another revision. */
  @Test
  void ownerIsToldOnce() {
    Relay first = young();
    bench.steps(first, 3);
    first.handOver();
    while (first.step().state() == StepReport.State.OWNER) {
      bench.clock.advance(Duration.ofMillis(1));
    }
    first.close();
    Relay owner = old();
    bench.append("a", 1, 1);
    bench.steps(owner, 100);
    assertThat(owner.step().state()).isEqualTo(StepReport.State.OWNER);
    Relay standby = young();
    bench.steps(standby, 10);
    assertThat(bench.calls("declareAgain")).isEqualTo(1);
    assertThat(bench.ledger.declared(RelayBench.SUBSCRIPTION).current())
        .containsKey(new Declaration("refunds", Declaration.Takes.TYPE, "refunded v1"));
  }
}
