// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.store.PauseScope;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What cannot go out leaves room for what can, however large it is. */
class RouteShareTest {

  private static final int MESSAGES = 3000;
  private static final int WINDOW = 200;
  private static final int WINDOW_BYTES = 200_000;
  private static final Rejected MISSING = new Rejected("no such topic", Rejected.Kind.TOPIC);

  private final RelayBench bench = new RelayBench();
  private int keys = 500;
  private int next;

  RouteShareTest() {
    bench.options =
        RelayBench.options()
            .window(w -> w.withMessages(WINDOW))
            .polling(p -> p.withPageMessagesMax(50))
            .window(w -> w.withBytes(WINDOW_BYTES))
            .build();
  }

  private void append(int bytes, IntFunction<String> topic) {
    Message[] messages = new Message[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
      messages[i] =
          Message.to(topic.apply(i), "t").key("k" + next++ % keys).payload(new byte[bytes]).build();
    }
    bench.ledger.inNewTransaction(messages);
  }

  /** Transforms for minutes, and returns how many arrived at the destination that works. */
  private int arriveInTime(List<Route> routes) {
    Relay relay = bench.relay(routes);
    for (int i = 0; i < 1200; i++) {
      relay.step();
      bench.clock.advance(Duration.ofMillis(500));
    }
    return bench.publisher.arrivals().size();
  }

  @Test
  void messagesOfAMissingTopicHoldOnlyTheirOwnBytes() {
    assertThat(arriveBesideAMissingTopic(500, 100)).isEqualTo(MESSAGES / 100 * 99);
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void largeMessagesOfAMissingTopicAreSetAsideBeforeTheyFillTheWindow() {
    assertThat(arriveBesideAMissingTopic(10_000, 10)).isEqualTo(MESSAGES / 10 * 9);
    assertThat(bench.parked()).isNotEmpty();
  }

  private int arriveBesideAMissingTopic(int bytes, int oneOf) {
    bench.publisher.rejectWhen(message -> message.topic().equals("missing"), MISSING);
    append(bytes, i -> i % oneOf == 0 ? "missing" : "orders");
    return arriveInTime(List.of(Route.only(bench.publisher)));
  }

  @Test
  void largeMessagesOfARouteThatIsDownAreSetAsideBeforeTheyFillTheWindow() {
    for (int oneOf : new int[] {1, 10}) {
      RouteShareTest test = new RouteShareTest();
      RecordingPublisher down = new RecordingPublisher();
      down.goDown();
      test.append(10_000, i -> i % oneOf == 0 ? "rare" : "orders");
      int arrived =
          test.arriveInTime(
              List.of(
                  new Route("down", down, Accepts.topics("rare")),
                  new Route("up", test.bench.publisher, Accepts.everything())));
      assertThat(arrived).isEqualTo(MESSAGES);
    }
  }

  /** It takes a message now and then, so that no single outage of it lasts. */
  @Test
  void routeThatComesAndGoesDoesNotHoldUpTheOthers() {
    RecordingPublisher comesAndGoes = new RecordingPublisher();
    Relay relay =
        bench.relay(
            List.of(
                new Route("comes and goes", comesAndGoes, Accepts.everything()),
                new Route("up", bench.publisher, Accepts.everything())));
    append(10, i -> "orders");
    for (int i = 0; i < 1200; i++) {
      if (i % 20 == 0) {
        comesAndGoes.comeBack();
        comesAndGoes.holdOutcomes();
      } else if (i % 20 == 1) {
        comesAndGoes.goDown();
        comesAndGoes.releaseOutcomes();
      }
      relay.step();
      bench.clock.advance(Duration.ofMillis(500));
    }
    assertThat(bench.publisher.arrivals()).hasSize(MESSAGES);
  }

  /** Its share of the window stays open for as long as the pause holds. */
  @Test
  void pausedRouteHoldsUpNoOtherWhereTheWindowIsFarBelowAPage() {
    bench.options = RelayBench.options().window(w -> w.withMessages(100)).build();
    Relay relay =
        bench.relay(
            List.of(
                new Route("paused", new RecordingPublisher(), Accepts.everything()),
                new Route("up", bench.publisher, Accepts.everything())));
    bench.steps(relay, 2);
    bench
        .ledger
        .subscription(RelayBench.SUBSCRIPTION)
        .pause(PauseScope.route("paused"), "anna", "the vendor is down");
    append(10, i -> "orders");
    bench.steps(relay, 500);
    assertThat(bench.publisher.arrivals()).hasSize(MESSAGES);
  }

  /** Each key has a row of its own that is due, and none of them can go out. */
  @Test
  void rowsOfAMissingTopicLeaveRoomForThoseThatCanGoOut() {
    bench.publisher.rejectWhen(message -> true, new Rejected("no", Rejected.Kind.DEFINITE));
    append(10, i -> "missing");
    bench.append("good", 1, 5);
    Relay relay = bench.relay();
    bench.steps(relay, 200);
    assertThat(bench.parked()).hasSize(MESSAGES + 5);
    bench.publisher.acceptAll();
    bench.publisher.rejectWhen(message -> message.topic().equals("missing"), MISSING);
    for (int i = 0; i < 400; i++) {
      bench.clock.advance(Duration.ofMillis(500));
      relay.step();
    }
    assertThat(bench.parked()).hasSize(MESSAGES);
  }

  @Test
  void noMoreIsSetAsideOnceTooManyKeysHaveParkedMessages() {
    int keysMax = 20 * WINDOW / 2;
    RecordingPublisher down = new RecordingPublisher();
    down.goDown();
    keys = 2 * MESSAGES;
    append(10, i -> "orders");
    append(10, i -> "orders");
    List<Route> routes =
        List.of(
            new Route("down", down, Accepts.everything()),
            new Route("up", bench.publisher, Accepts.everything()));
    assertThat(arriveInTime(routes)).isBetween(keysMax, keysMax + WINDOW);
    assertThat(bench.parked()).hasSize(keysMax);
  }

  @Test
  void missingTopicsOfSeveralRoutesLeaveRoomTogether() {
    RecordingPublisher one = new RecordingPublisher();
    RecordingPublisher two = new RecordingPublisher();
    one.rejectWhen(message -> true, MISSING);
    two.rejectWhen(message -> true, MISSING);
    append(10, i -> "t" + i % 3);
    int arrived =
        arriveInTime(
            List.of(
                new Route("one", one, Accepts.topics("t0")),
                new Route("two", two, Accepts.topics("t1")),
                new Route("three", bench.publisher, Accepts.topics("t2"))));
    assertThat(arrived).isEqualTo(MESSAGES / 3);
  }

  @Test
  void noMoreParkedMessagesComeBackAtOnceThanTheRoutesShare() {
    bench.publisher.rejectWhen(message -> true, new Rejected("no", Rejected.Kind.DEFINITE));
    append(10, i -> "orders");
    Relay relay = bench.relay();
    bench.steps(relay, 100);
    assertThat(bench.parked()).hasSize(MESSAGES);
    bench.publisher.acceptAll();
    bench.publisher.holdOutcomes();
    bench.clock.advance(Duration.ofMinutes(10));
    bench.steps(relay, 50);
    // As many as are read at once may come in addition.
    assertThat(bench.publisher.arrivals().size()).isBetween(WINDOW / 2, WINDOW / 2 + 200);
    bench.publisher.releaseOutcomes();
    bench.steps(relay, 1000);
    assertThat(bench.parked()).isEmpty();
  }

  /** All that comes of its key must be set aside behind it. */
  @Test
  void routeCatchesUpWithWhatWasSetAsideThoughAsMuchComesAsCouldBeRead() {
    bench.options =
        RelayBench.options()
            .window(w -> w.withMessages(800))
            .polling(p -> p.withPageMessagesMax(200))
            .outage(d -> d.withHoldsUpOthersMax(Duration.ZERO))
            .build();
    RecordingPublisher shop = new RecordingPublisher();
    Relay relay =
        bench.relay(
            List.of(
                new Route("shop", shop, Accepts.everything()),
                new Route("other", bench.publisher, Accepts.rule("none", message -> false))));
    shop.goDown();
    bench.append("k", 1, MESSAGES);
    bench.steps(relay, 200);
    assertThat(bench.parked()).hasSizeGreaterThan(MESSAGES / 2);
    shop.comeBack();
    for (int i = 0; i < 130 && !bench.parked().isEmpty(); i++) {
      bench.append("k", MESSAGES + 200 * i + 1, MESSAGES + 200 * i + 200);
      bench.clock.advance(Duration.ofMillis(500));
      relay.step();
    }
    assertThat(bench.parked()).isEmpty();
  }
}
