// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static io.outledger.relay.RelayBench.SUBSCRIPTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an operator has paused, a subscription, a route, a topic or a key, waits for its resume. */
class PausesTest {

  private static final String VENDOR = "the vendor is down";

  private final RelayBench bench = new RelayBench();
  private final RecordingPublisher mail = new RecordingPublisher();
  private final RecordingPublisher stock = new RecordingPublisher();

  private void pause(PauseScope scope) {
    bench.ledger.subscription(SUBSCRIPTION).pause(scope, "anna", VENDOR);
  }

  private void resume(PauseScope scope) {
    bench.ledger.subscription(SUBSCRIPTION).resume(scope);
  }

  private Relay relayOfTwoRoutes() {
    return bench.relay(
        List.of(
            new Route("mail", mail, Accepts.everything()),
            new Route("stock", stock, Accepts.everything())));
  }

  private void append(String key, int number, String topic) {
    bench.ledger.inNewTransaction(RelayBench.message(key, number, topic));
  }

  @Test
  void pausedSubscriptionKeepsItsLeaseAndPublishesNothing() {
    Relay relay = bench.relay();
    bench.steps(relay, 2);
    pause(PauseScope.subscription());
    bench.append("a", 1, 5);
    for (int i = 0; i < 100; i++) {
      assertThat(relay.step().state()).isEqualTo(StepReport.State.OWNER);
      bench.clock.advance(Duration.ofMillis(500));
    }
    assertThat(bench.published()).isEmpty();
    assertThat(bench.parked()).isEmpty();
    resume(PauseScope.subscription());
    bench.steps(relay, 100);
    assertThat(bench.published()).containsExactly("a1", "a2", "a3", "a4", "a5");
  }

  @Test
  void pauseIsAStateThatTheNextOwnerFinds() {
    Relay first = bench.relay();
    bench.steps(first, 2);
    pause(PauseScope.subscription());
    bench.append("a", 1, 1);
    first.close();
    Relay second = bench.relay();
    bench.steps(second, 2_000);
    assertThat(second.step().state()).isEqualTo(StepReport.State.OWNER);
    assertThat(bench.published()).isEmpty();
    resume(PauseScope.subscription());
    bench.steps(second, 100);
    assertThat(bench.published()).containsExactly("a1");
  }

  @Test
  void messageThatCommitsAfterAPauseIsNotPublished() {
    Relay relay = bench.relay();
    bench.steps(relay, 2);
    bench.append("a", 1, 1);
    bench.before.put(
        "poll",
        () -> {
          pause(PauseScope.subscription());
          bench.append("a", 2, 2);
        });
    bench.steps(relay, 20);
    assertThat(bench.published()).isEmpty();
  }

  @Test
  void pausedRouteSendsNothingAndTheOthersGoOn() {
    Relay relay = relayOfTwoRoutes();
    bench.steps(relay, 2);
    pause(PauseScope.route("mail"));
    IntStream.rangeClosed(1, 20_000).forEach(number -> append("k" + number, 1, "orders"));
    bench.steps(relay, 200);
    assertThat(mail.messages()).isEmpty();
    assertThat(stock.messages()).hasSize(20_000);
    assertThat(bench.parked()).allSatisfy(row -> assertThat(row.message().attempts()).isZero());
    resume(PauseScope.route("mail"));
    for (int i = 0; i < 2_000 && mail.messages().size() < 20_000; i++) {
      relay.step();
      bench.clock.advance(Duration.ofMillis(200));
    }
    assertThat(mail.messages()).hasSize(20_000);
    assertThat(stock.messages()).hasSize(20_000);
  }

  @Test
  void pausedRouteIsNotProbedWhileItsDestinationIsAway() {
    Relay relay = bench.relay();
    bench.publisher.goDown();
    bench.append("a", 1, 1);
    bench.steps(relay, 5);
    pause(PauseScope.route(""));
    bench.steps(relay, 60);
    int opened = bench.events(RelayEvent.OutageBegan.class).size();
    for (int i = 0; i < 100; i++) {
      relay.step();
      bench.clock.advance(Duration.ofSeconds(1));
    }
    assertThat(bench.events(RelayEvent.OutageBegan.class)).hasSize(opened);
    bench.publisher.comeBack();
    resume(PauseScope.route(""));
    bench.steps(relay, 200);
    assertThat(bench.published()).containsExactly("a1");
  }

  @Test
  void messagesOfAPausedTopicAreSetAsideAndOthersGoOn() {
    Relay relay = bench.relay();
    bench.steps(relay, 2);
    pause(PauseScope.topic("bills"));
    append("a", 1, "orders");
    append("b", 1, "bills");
    append("b", 2, "bills");
    append("c", 1, "orders");
    bench.steps(relay, 50);
    assertThat(bench.published()).containsExactly("a1", "c1");
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(1);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(1);
    assertThat(bench.parked().get(0).error())
        .isEqualTo("not tried: topic bills is paused by anna: " + VENDOR);
    assertThat(bench.parked()).allSatisfy(row -> assertThat(row.message().attempts()).isZero());
    bench.clock.advance(Duration.ofDays(30));
    bench.steps(relay, 20);
    assertThat(bench.parked()).hasSize(2);
    resume(PauseScope.topic("bills"));
    bench.steps(relay, 100);
    assertThat(bench.published()).containsExactly("a1", "c1", "b1", "b2");
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void pausedKeyStaysInOrderAcrossAResumeByAnotherOwner() {
    Relay first = bench.relay();
    bench.steps(first, 2);
    pause(PauseScope.key("a"));
    bench.append("a", 1, 3);
    bench.append("b", 1, 1);
    bench.steps(first, 20);
    assertThat(bench.published()).containsExactly("b1");
    first.close();
    resume(PauseScope.key("a"));
    bench.append("a", 4, 4);
    Relay second = bench.relay();
    bench.clock.advance(RelayBench.LEASE.multipliedBy(3));
    bench.steps(second, 2_000);
    assertThat(bench.published("a")).containsExactly("a1", "a2", "a3", "a4");
  }

  @Test
  void whatHadFailedBeforeAPauseKeepsItsCountOfAttempts() {
    Relay relay = bench.relay();
    bench.publisher.rejectNext(1, new Outcome.Rejected("no", Outcome.Rejected.Kind.DEFINITE));
    bench.append("a", 1, 1);
    bench.steps(relay, 3);
    pause(PauseScope.key("a"));
    for (int i = 0; i < 100; i++) {
      relay.step();
      bench.clock.advance(Duration.ofSeconds(1));
    }
    assertThat(bench.parked()).hasSize(1);
    assertThat(bench.parked().get(0).message().attempts()).isEqualTo(1);
    assertThat(bench.parked().get(0).nextAttemptAt()).isNull();
    resume(PauseScope.key("a"));
    bench.steps(relay, 200);
    assertThat(bench.published()).containsExactly("a1");
  }

  @Test
  void changesAreTold() {
    Relay relay = bench.relay();
    bench.steps(relay, 2);
    pause(PauseScope.key("a"));
    bench.steps(relay, 5);
    resume(PauseScope.key("a"));
    bench.steps(relay, 5);
    assertThat(bench.events(RelayEvent.PausesChanged.class))
        .extracting(changed -> changed.pauses().size())
        .containsExactly(1, 0);
  }
}
