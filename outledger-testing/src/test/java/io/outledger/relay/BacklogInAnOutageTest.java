// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Route;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A backlog of many windows waits for a destination that is away for an hour. */
class BacklogInAnOutageTest {

  private static final int WINDOW = 100;
  private static final int BACKLOG = 10 * WINDOW;

  private final RelayBench bench = new RelayBench();
  private final FragileLine line = new FragileLine(KeyOrder.PIPELINED, new Random(1));

  BacklogInAnOutageTest() {
    bench.options =
        RelayBench.options()
            .window(w -> w.withMessages(WINDOW))
            .polling(p -> p.withPageMessagesMax(50))
            .build();
  }

  private void append(int topics) {
    for (int i = 0; i < BACKLOG; i++) {
      bench.ledger.inNewTransaction(
          Message.to("topic " + i % topics, "t").key("k" + i).payload(new byte[1]).build());
    }
  }

  private void pass(Relay relay, Duration time) {
    for (long i = 0; i < time.toMillis() / 100; i++) {
      bench.steps(relay, 1);
      bench.clock.advance(Duration.ofMillis(100));
    }
  }

  private void comeBack(Relay relay) {
    line.meets = message -> null;
    for (int i = 0; i < 100 && line.arrived.size() < BACKLOG; i++) {
      pass(relay, Duration.ofMinutes(1));
    }
    assertThat(line.arrived.stream().distinct()).hasSize(BACKLOG);
    assertThat(bench.parked().size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void whereTheLineIsCutNoMoreThanAWindowIsParkedAndAllArrivesAfterwards(int topics) {
    line.meets = message -> FragileLine.CUT;
    append(topics);
    Relay relay = bench.relay(List.of(Route.only(line)));
    pass(relay, Duration.ofMinutes(1));
    assertThat(bench.parked().size()).isZero();
    pass(relay, Duration.ofMinutes(59));
    assertThat(bench.parked().size()).isLessThanOrEqualTo(WINDOW);
    assertThat(bench.events(RelayEvent.Parked.class)).noneMatch(event -> event.attempts() > 0);
    comeBack(relay);
  }

  /** A silent topic is a reason to look further for another, but for no more than a window. */
  @Test
  void whereNothingIsAnsweredNoMoreThanAWindowIsParked() {
    line.meets = message -> Outcome.unanswered("no answer");
    append(1);
    Relay relay = bench.relay(List.of(Route.only(line)));
    pass(relay, Duration.ofHours(1));
    assertThat(bench.parked().size()).isLessThanOrEqualTo(WINDOW);
    assertThat(bench.events(RelayEvent.Parked.class)).noneMatch(event -> event.attempts() > 0);
    comeBack(relay);
  }
}
