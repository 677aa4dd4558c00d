// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.BlockingClient;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.Subject;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.Route;
import io.outledger.store.ParkedState;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a route does while its destination cannot be reached, probe by probe. */
class RouteOutageTest {

  private static final Duration PROBES = Duration.ofSeconds(5);
  private static final Outcome BROKEN = Outcome.unavailable("the connection broke");
  private static final Outcome REJECTED = Outcome.rejected("the test rejects it");

  private final RelayBench bench = new RelayBench();
  private ByHand destination = new ByHand(KeyOrder.PIPELINED);

  RouteOutageTest() {
    bench.options =
        RelayBench.options().outage(d -> d.withProbes(new Backoff(PROBES, PROBES))).build();
  }

  /** Returns an owner that has sent all that was appended. */
  private Relay owner() {
    Relay relay = bench.relay(List.of(Route.only(destination)));
    bench.steps(relay, 2);
    return relay;
  }

  /** Breaks the connection under a message, and lets the relay notice. */
  private void breakUnder(Relay relay, long position) {
    destination.report(position, BROKEN);
    bench.steps(relay, 1);
    assertThat(bench.events(RelayEvent.OutageBegan.class)).isNotEmpty();
    destination.sent.clear();
  }

  private void probeIsDue(Relay relay) {
    bench.clock.advance(PROBES);
    bench.steps(relay, 1);
  }

  @Test
  void nothingIsReadWhileThereIsAnotherMessageToProbeWithAndNobodyIsToldTwice() {
    bench.append("a", 1, 1);
    Relay relay = owner();
    breakUnder(relay, 1);
    bench.ledger.inNewTransaction(RelayBench.message("b", 1, "another topic"));
    bench.steps(relay, 1);
    bench.append("c", 1, 5);
    bench.steps(relay, 3);
    assertThat(relay.step().pending()).isEqualTo(2);
    RelayEvent.OutageBegan met = bench.events(RelayEvent.OutageBegan.class).get(0);
    assertThat(met.reason()).isEqualTo("the connection broke");
    assertThat(met.failures()).isEqualTo(1);
    assertThat(bench.events(RelayEvent.OutageBegan.class)).hasSize(1);
  }

  @Test
  void reasonIsTheFirstAndNotThatTheClientWasClosedBecauseOfIt() {
    bench.append("a", 1, 2);
    Relay relay = owner();
    destination.report(1, BROKEN);
    destination.report(2, Outcome.unavailable("the relay closed its publisher"));
    bench.steps(relay, 1);
    RelayEvent.OutageBegan met = bench.events(RelayEvent.OutageBegan.class).get(0);
    assertThat(met.reason()).isEqualTo("the connection broke");
  }

  @Test
  void otherRoutesGoOnWhileOneIsDown() {
    ByHand other = new ByHand(KeyOrder.PIPELINED);
    other.acceptsAll = true;
    bench.append("a", 1, 1);
    Relay relay =
        bench.relay(
            List.of(
                new Route(
                    "down",
                    destination,
                    Accepts.rule("key a", message -> "a".equals(message.key()))),
                new Route("up", other, Accepts.everything())));
    bench.steps(relay, 2);
    breakUnder(relay, 1);
    bench.append("b", 1, 500);
    bench.steps(relay, 5);
    assertThat(other.sent).hasSize(501).doesNotHaveDuplicates();
    assertThat(destination.sent).isEmpty();
    destination.acceptsAll = true;
    probeIsDue(relay);
    bench.steps(relay, 2);
    assertThat(destination.sent).containsExactly(1L);
    assertThat(relay.step().pending()).isZero();
  }

  /** They may send to different topics, and only one of these be away. */
  @Test
  void routeGoesOnWhileAnotherOneOfItsPublisherIsDown() {
    bench.options =
        RelayBench.options()
            .outage(d -> d.withHoldsUpOthersMax(Duration.ZERO))
            .window(w -> w.withMessages(8))
            .polling(p -> p.withPageMessagesMax(4))
            .build();
    OneTopicAway broker = new OneTopicAway();
    Relay relay =
        bench.relay(
            List.of(
                new Route("away", broker, Accepts.topics("away")),
                new Route("fine", broker, Accepts.topics("fine"))));
    for (int i = 1; i <= 100; i++) {
      bench.ledger.inNewTransaction(RelayBench.message("k" + i, i, i % 10 == 1 ? "away" : "fine"));
    }
    bench.steps(relay, 200);
    assertThat(broker.sent).hasSize(90);
  }

  @Test
  void nothingIsSetAsideInAShortOutage() {
    Duration patience = Duration.ofSeconds(20);
    bench.options =
        RelayBench.options()
            .outage(d -> d.withHoldsUpOthersMax(patience))
            .polling(p -> p.withPageMessagesMax(4))
            .window(w -> w.withMessages(8))
            .build();
    RecordingPublisher down = new RecordingPublisher();
    down.goDown();
    bench.append("a", 1, 50);
    Relay relay =
        bench.relay(
            List.of(
                new Route("down", down, Accepts.everything()),
                new Route("up", bench.publisher, Accepts.everything())));
    bench.steps(relay, 900);
    assertThat(bench.published()).hasSize(8);
    assertThat(bench.parked()).isEmpty();
    bench.steps(relay, 200);
    assertThat(bench.published()).hasSize(50);
    assertThat(bench.parked()).isNotEmpty();
  }

  /** What waits for it goes out of the window, and out of the way of the others. */
  @Test
  void otherRoutesGoOnHoweverLongOneIsDown() {
    ByHand other = new ByHand(KeyOrder.PIPELINED);
    other.acceptsAll = true;
    bench.options =
        RelayBench.options()
            .outage(d -> d.withProbes(new Backoff(PROBES, PROBES)))
            .outage(d -> d.withHoldsUpOthersMax(Duration.ZERO))
            .polling(p -> p.withPageMessagesMax(4))
            .window(w -> w.withMessages(8))
            .build();
    bench.append("a", 1, 1);
    bench.append("b", 1, 1);
    Relay relay =
        bench.relay(
            List.of(
                new Route("down", destination, Accepts.everything()),
                new Route("up", other, Accepts.everything())));
    bench.steps(relay, 2);
    breakUnder(relay, 1);
    bench.append("a", 2, 20);
    bench.append("b", 2, 20);
    bench.steps(relay, 30);
    assertThat(other.sent).hasSize(40).doesNotHaveDuplicates();
    assertThat(destination.sent).isEmpty();
    assertThat(bench.parked())
        .hasSizeGreaterThan(30)
        .allMatch(row -> row.message().attempts() == 0);
    destination.acceptsAll = true;
    probeIsDue(relay);
    for (int i = 0; i < 200 && destination.sent.size() < 40; i++) {
      bench.clock.advance(Duration.ofMillis(500));
      relay.step();
    }
    assertThat(destination.sent).hasSize(40).doesNotHaveDuplicates();
    assertThat(destination.sent.stream().filter(position -> position == 1 || isOfA(position)))
        .isSorted();
    assertThat(destination.sent.stream().filter(position -> position == 2 || position >= 22))
        .isSorted();
    assertThat(bench.parked()).isEmpty();
  }

  private static boolean isOfA(long position) {
    return position >= 3 && position < 22;
  }

  @Test
  void clientThatCannotBeOpenedIsNoMessagesFault() {
    Publisher broken =
        new Publisher() {
          @Override
          public KeyOrder keyOrder() {
            return KeyOrder.PIPELINED;
          }

          @Override
          public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
            throw new IllegalStateException("no trust store");
          }
        };
    bench.append("a", 1, 3);
    Relay relay = bench.relay(List.of(Route.only(broken)));
    bench.steps(relay, 2);
    for (int probes = 0; probes < 20; probes++) {
      probeIsDue(relay);
    }
    assertThat(bench.parked()).isEmpty();
    assertThat(bench.events(RelayEvent.OutageOver.class)).isEmpty();
    assertThat(bench.events(RelayEvent.OutageBegan.class))
        .hasSizeGreaterThan(10)
        .allSatisfy(met -> assertThat(met.reason()).contains("no trust store"));
  }

  @Test
  void oneMessageProbesAtATime() {
    bench.append("a", 1, 1);
    bench.append("b", 1, 1);
    bench.append("c", 1, 1);
    Relay relay = owner();
    breakUnder(relay, 2);
    probeIsDue(relay);
    bench.steps(relay, 3);
    assertThat(destination.sent).containsExactly(1L);
    destination.report(1, Outcome.PUBLISHED);
    bench.steps(relay, 1);
    assertThat(destination.sent).containsExactly(1L, 2L, 3L);
    assertThat(bench.events(RelayEvent.OutageOver.class)).hasSize(1);
  }

  @Test
  void relayIsWokenForTheProbeWhereItWouldSleepLonger() {
    Duration hour = Duration.ofHours(1);
    bench.options =
        RelayBench.options()
            .outage(d -> d.withProbes(new Backoff(PROBES, PROBES)))
            .polling(p -> p.withIdle(hour))
            .polling(p -> p.withBusy(hour))
            .build();
    bench.append("a", 1, 1);
    Relay relay = owner();
    destination.report(1, BROKEN);
    Duration next = relay.step().nextIn();
    assertThat(next).isEqualTo(bench.events(RelayEvent.OutageBegan.class).get(0).nextProbe());
    Duration third = next.dividedBy(3);
    bench.clock.advance(third);
    assertThat(relay.step().nextIn()).isEqualTo(next.minus(third));
    bench.clock.advance(next);
    assertThat(relay.step().nextIn()).isEqualTo(hour);
  }

  @Test
  void relayLooksForWorkAsOftenAsEverWhereTheProbeIsFar() {
    Duration busy = Duration.ofMillis(7);
    bench.options =
        RelayBench.options()
            .outage(d -> d.withProbes(new Backoff(PROBES, PROBES)))
            .polling(p -> p.withBusy(busy))
            .build();
    bench.append("a", 1, 1);
    Relay relay = owner();
    destination.report(1, BROKEN);
    assertThat(relay.step().nextIn()).isEqualTo(busy);
  }

  @Test
  void messageThatIsHeldIsNoProbe() {
    bench.append("a", 1, 2);
    bench.append("b", 1, 1);
    Relay relay = owner();
    destination.report(1, REJECTED);
    breakUnder(relay, 2);
    probeIsDue(relay);
    assertThat(destination.sent).containsExactly(3L);
    destination.report(3, Outcome.PUBLISHED);
    bench.steps(relay, 1);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(1);
  }

  @Test
  void outageIsOverWhereNothingIsLeftToProbeWith() {
    bench.append("a", 1, 2);
    Relay relay = owner();
    destination.report(1, REJECTED);
    breakUnder(relay, 2);
    assertThat(bench.events(RelayEvent.OutageOver.class)).isEmpty();
    probeIsDue(relay);
    assertThat(destination.sent).isEmpty();
    assertThat(bench.events(RelayEvent.OutageOver.class)).hasSize(1);
  }

  @Test
  void rejectedMessageMayHaveBeenOvertakenByOneOfUnknownFate() {
    bench.append("a", 1, 2);
    Relay relay = owner();
    destination.report(1, REJECTED);
    breakUnder(relay, 2);
    assertThat(bench.events(RelayEvent.OvertakenByKey.class))
        .containsExactly(
            new RelayEvent.OvertakenByKey(
                new Subject(RelayBench.message("a", 1).id(), "a", 1, "")));
  }

  @Test
  void rejectedMessageIsOvertakenByALaterOneThatGetsThrough() {
    bench.append("a", 1, 2);
    Relay relay = owner();
    destination.report(1, REJECTED);
    destination.report(2, Outcome.PUBLISHED);
    bench.steps(relay, 1);
    assertThat(bench.events(RelayEvent.OvertakenByKey.class))
        .containsExactly(
            new RelayEvent.OvertakenByKey(
                new Subject(RelayBench.message("a", 1).id(), "a", 1, "")));
  }

  @Test
  void whatIsAcknowledgedAsTheClientClosesLetsNothingPass() {
    destination = new ByHand(KeyOrder.ONE_AT_A_TIME);
    bench.append("a", 1, 2);
    bench.append("b", 1, 1);
    Relay relay = owner();
    assertThat(destination.sent).containsExactly(1L, 3L);
    destination.onClose = () -> destination.report(1, Outcome.PUBLISHED);
    breakUnder(relay, 3);
    probeIsDue(relay);
    assertThat(destination.sent).containsExactly(2L);
    destination.report(2, Outcome.PUBLISHED);
    bench.steps(relay, 1);
    assertThat(destination.sent).containsExactly(2L, 3L);
  }

  @Test
  void whatIsAcknowledgedBeforeAnEarlierMessageOfItsKeyIsNotSentAgain() {
    bench.append("a", 1, 2);
    Relay relay = owner();
    destination.report(2, Outcome.PUBLISHED);
    bench.steps(relay, 1);
    breakUnder(relay, 1);
    destination.acceptsAll = true;
    probeIsDue(relay);
    bench.steps(relay, 3);
    assertThat(destination.sent).containsExactly(1L);
  }

  @Test
  void whatIsSentIsFlushedInTheSameStep() {
    bench.append("a", 1, 1);
    owner();
    assertThat(destination.flushes).isPositive();
  }

  /** A broker on which one topic cannot be reached. */
  private static final class OneTopicAway implements Publisher {
    private final List<Long> sent = new ArrayList<>();

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      return new BlockingClient(
          Runnable::run,
          (position, attempt, message) -> {
            if (message.topic().equals("away")) {
              return Outcome.unavailable("no answer");
            }
            sent.add(position);
            return Outcome.PUBLISHED;
          },
          outcomes);
    }
  }
}
