// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static io.outledger.relay.RelayBench.SUBSCRIPTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The relay itself does not send a message, while the one before it of its key is on its way. Found
 * by roll-outs with real processes: it was parked at once, and when an outage brought the earlier
 * one back, that one was held behind it.
 */
class NotSentBehindOneOnItsWayTest {

  private static final String TAKEN = "taken";
  private static final String FAILING = "failing";
  private static final String NOT_SENT = "not-sent";
  private static final Outcome AWAY = Outcome.unavailable("the connection broke");

  private final RelayBench bench = new RelayBench();
  private final ByHand destination = new ByHand(KeyOrder.PIPELINED);
  private boolean isBroken = true;

  private enum Why {
    ANOTHER_INSTANCE_HAS_IT,
    A_TRANSFORM_FAILS,
    ITS_TOPIC_IS_PAUSED
  }

  @BeforeEach
  void retryAtOnce() {
    bench.options =
        RelayBench.options()
            .transforms(
                Transforms.NONE.withMap(
                    message -> {
                      if (isBroken && message.topic().equals(FAILING)) {
                        throw new IllegalStateException("planted");
                      }
                      return message;
                    }))
            .build();
  }

  private static Route route(ByHand destination, String... topics) {
    return new Route("", destination, Accepts.topics(topics));
  }

  private Relay relay(Why why) {
    Relay relay = bench.relay(List.of(route(destination, TAKEN, FAILING)));
    bench.steps(relay, 1);
    if (why == Why.ANOTHER_INSTANCE_HAS_IT) {
      bench.relay(List.of(route(destination, TAKEN, FAILING, NOT_SENT))).declare();
    }
    if (why == Why.ITS_TOPIC_IS_PAUSED) {
      isBroken = false;
      bench.ledger.subscription(SUBSCRIPTION).pause(PauseScope.topic(FAILING), "anna", "a test");
    }
    return relay;
  }

  private void append(Why why, int number, boolean isSent) {
    String topic = why == Why.ANOTHER_INSTANCE_HAS_IT ? NOT_SENT : FAILING;
    bench.ledger.inNewTransaction(RelayBench.message("a", number, isSent ? TAKEN : topic));
  }

  private void steps(Relay relay) {
    for (int i = 0; i < 40; i++) {
      bench.steps(relay, 1);
      bench.clock.advance(Duration.ofSeconds(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void itIsNotParkedBeforeTheOneThatAnOutageBringsBack(Why why) {
    Relay relay = relay(why);
    append(why, 1, true);
    append(why, 2, false);
    append(why, 3, true);
    bench.steps(relay, 3);
    assertThat(destination.sent).containsExactly(1L);
    assertThat(bench.parked()).isEmpty();
    destination.report(1, AWAY);
    destination.acceptsAll = true;
    bench.steps(relay, 1);
    bench.clock.advance(Duration.ofSeconds(1));
    bench.steps(relay, 3);
    assertThat(destination.sent).containsExactly(1L, 1L);
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(1);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void itIsParkedOnceTheOneBeforeItIsPublishedAndWhatFollowsIsHeld(Why why) {
    Relay relay = relay(why);
    append(why, 1, true);
    append(why, 2, false);
    append(why, 3, false);
    append(why, 4, true);
    bench.ledger.inNewTransaction(RelayBench.message("b", 1, TAKEN));
    bench.steps(relay, 3);
    assertThat(destination.sent).containsExactly(1L, 5L);
    destination.report(1, Outcome.PUBLISHED);
    bench.steps(relay, 2);
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(1);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(2);
    assertThat(destination.sent).containsExactly(1L, 5L);
  }

  @ParameterizedTest
  @EnumSource
  void allAreSentInOrderInTheEnd(Why why) {
    Relay relay = relay(why);
    append(why, 1, true);
    append(why, 2, false);
    append(why, 3, true);
    append(why, 4, false);
    bench.steps(relay, 3);
    destination.report(1, AWAY);
    bench.steps(relay, 2);
    isBroken = false;
    bench.ledger.subscription(SUBSCRIPTION).resume(PauseScope.topic(FAILING));
    relay.close();
    destination.acceptsAll = true;
    steps(bench.relay(List.of(route(destination, TAKEN, FAILING, NOT_SENT))));
    assertThat(destination.sent).containsExactly(1L, 1L, 2L, 3L, 4L);
    assertThat(bench.parked()).isEmpty();
  }
}
