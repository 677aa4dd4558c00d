// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.relay.options.Route;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** One message parked in two routes: each route tries its own row, whatever the other does. */
class ParkedRoutesTest {

  private static final Rejected NO = new Rejected("no", Rejected.Kind.DEFINITE);
  private static final Duration RETRY = Duration.ofMillis(500);

  private final RelayBench bench = new RelayBench();
  private final ByHand mail = new ByHand(KeyOrder.ONE_AT_A_TIME);
  private final ByHand stock = new ByHand(KeyOrder.ONE_AT_A_TIME);
  private final List<Route> routes =
      List.of(
          new Route("mail", mail, Accepts.everything()),
          new Route("stock", stock, Accepts.everything()));
  private final Relay relay;

  ParkedRoutesTest() {
    bench.options =
        RelayBench.options()
            .retry(new RetryPolicy(5, new Backoff(RETRY, RETRY), DeadLetter.KEY_GOES_ON))
            .build();
    relay = bench.relay(routes);
  }

  private void passSeconds(int seconds) {
    bench.steps(relay, seconds * 50);
  }

  private static int attempts(ByHand route, long position) {
    return Collections.frequency(route.sent, position);
  }

  @Test
  void messageIsTriedOnceAtATimeThoughAnotherRouteParksItMeanwhile() {
    bench.append("k", 1, 1);
    bench.steps(relay, 2);
    mail.report(1, NO);
    passSeconds(2);
    assertThat(attempts(mail, 1)).isEqualTo(2);
    stock.report(1, NO);
    passSeconds(3);
    assertThat(attempts(mail, 1)).isEqualTo(2);
  }

  @Test
  void attemptThatTakesLongDoesNotDelayTheSameMessageInAnotherRoute() {
    bench.append("k", 1, 1);
    bench.steps(relay, 2);
    mail.report(1, NO);
    stock.report(1, NO);
    passSeconds(2);
    assertThat(attempts(mail, 1)).isEqualTo(2);
    assertThat(attempts(stock, 1)).isEqualTo(2);
    stock.report(1, NO);
    passSeconds(2);
    assertThat(attempts(mail, 1)).isEqualTo(2);
    assertThat(attempts(stock, 1)).isEqualTo(3);
  }

  @Test
  void nothingOfTheKeyIsLeftBehindOrOvertaken() {
    int messages = 202; // the parked one, as many as are taken back at once, and one more
    bench.append("k", 1, messages);
    bench.steps(relay, 2);
    mail.report(1, NO);
    passSeconds(2);
    stock.report(1, NO);
    passSeconds(2);
    mail.acceptsAll = true;
    mail.report(1, Outcome.PUBLISHED);
    passSeconds(3);
    bench.append("k", messages + 1, messages + 3);
    passSeconds(3);
    assertThat(mail.sent.stream().skip(1))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, messages + 3).boxed().toList());
  }

  /** As many must wait as are looked for at once. */
  @Test
  void discardsThatMustWaitForAnotherRouteDelayNoOthers() {
    int messages = 205;
    for (int i = 1; i <= messages; i++) {
      bench.append("k" + i, 1, 1);
    }
    bench.steps(relay, 2);
    for (int i = 1; i <= messages; i++) {
      mail.report(i, new Rejected("no", Rejected.Kind.FINAL));
    }
    stock.report(messages, Outcome.PUBLISHED);
    passSeconds(2);
    for (int i = 1; i <= messages; i++) {
      bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestDiscard(i, "mail");
    }
    passSeconds(5);
    assertThat(bench.events(RelayEvent.Discarded.class))
        .singleElement()
        .returns((long) messages, discarded -> discarded.message().position());
  }

  @Test
  void discardedMessageIsNotHandledAfterACrashThatLeavesItToAnotherRoute() {
    bench.append("k", 1, 1);
    bench.steps(relay, 2);
    mail.report(1, new Rejected("no", Rejected.Kind.FINAL));
    passSeconds(2);
    bench.ledger.subscription(RelayBench.SUBSCRIPTION).requestDiscard(1, "mail");
    passSeconds(3);
    assertThat(bench.events(RelayEvent.Discarded.class)).isEmpty();
    Relay successor = bench.relay(routes);
    successor.step();
    bench.clock.advance(RelayBench.LEASE.multipliedBy(2)); // the first one has crashed
    bench.steps(successor, 5);
    assertThat(attempts(mail, 1)).isEqualTo(1);
    assertThat(attempts(stock, 1)).isEqualTo(2);
    stock.report(1, Outcome.PUBLISHED);
    bench.steps(successor, 100);
    assertThat(bench.events(RelayEvent.Discarded.class)).hasSize(1);
    assertThat(bench.parked()).isEmpty();
  }
}
