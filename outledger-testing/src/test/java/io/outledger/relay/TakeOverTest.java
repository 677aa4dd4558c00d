// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.store.ParkedState;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakeOverTest {

  private final RelayBench bench = new RelayBench();

  @Test
  void heldMessageIsNotTriedBeforeAnEarlierOneOfItsKeyThatIsStillToBeRead() {
    Backoff soon = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
    bench.options =
        RelayOptions.builder().pageBytesMax(1).retry(RetryPolicy.DEFAULT.withBackoff(soon)).build();
    List<Runnable> reports = new ArrayList<>();
    RecordingPublisher slow = new RecordingPublisher(KeyOrder.PIPELINED, reports::add);
    slow.rejectWhen(
        message -> message.payload()[1] == '2', new Rejected("no", Rejected.Kind.DEFINITE));
    bench.append("z", 1, 1);
    bench.append("a", 1, 2);
    try (Relay owner = bench.relay(List.of(Lane.only(slow)))) {
      bench.steps(owner, 8);
      reports.get(2).run(); // a2 is rejected, while z1 and a1 are on their way
      slow.acceptAll();
      bench.append("a", 3, 3);
      bench.steps(owner, 8);
      assertThat(bench.parked(ParkedState.HELD)).isEqualTo(1);
      reports.get(3).run(); // a2 is published
      bench.steps(owner, 1);
      assertThat(bench.parked()).hasSize(1);
    }
    bench.publisher.holdOutcomes();
    Relay successor = bench.relay();
    bench.steps(successor, 1);
    bench.clock.advance(RelayBench.LEASE);
    bench.steps(successor, 10);
    bench.publisher.releaseOutcomes();
    bench.steps(successor, 10);
    assertThat(bench.published()).containsExactly("z1", "a1", "a3");
    assertThat(bench.parked()).isEmpty();
  }
}
