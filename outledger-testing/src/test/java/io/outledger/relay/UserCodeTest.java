// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.store.ParkedState;
import io.outledger.store.Start;
import io.outledger.testing.ParkedRow;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a transform, a route, a listener or a publisher throws, the relay goes on with the rest.
 */
class UserCodeTest {

  private final RelayBench bench = new RelayBench();

  private static boolean isBad(Message message) {
    return "bad".equals(message.key());
  }

  /** Each kind of throwable that code can throw, and one that cannot even be told. */
  static List<Throwable> thrown() {
    return List.of(
        new IllegalStateException("planted"),
        new IOException("planted"),
        new AssertionError("planted"),
        new StackOverflowError("planted"),
        new OutOfMemoryError("planted"),
        new NoClassDefFoundError("planted"),
        new Throwable("planted"),
        new Untold());
  }

  private static final class Untold extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("planted");
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable, R> R sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private void appendGoodAndBad() {
    bench.append("a", 1, 1);
    bench.append("bad", 1, 1);
    bench.append("a", 2, 2);
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void stepThatThrowsSetsItsMessageAside(Throwable thrown) {
    bench.options =
        RelayBench.options()
            .transforms(Transforms.NONE.withMap(m -> isBad(m) ? UserCodeTest.sneak(thrown) : m))
            .build();
    appendGoodAndBad();
    bench.steps(bench.relay(), 3);
    assertThat(bench.published()).containsExactly("a1", "a2");
    assertThat(bench.parked())
        .singleElement()
        .satisfies(row -> assertThat(row.error()).contains(thrown.getClass().getSimpleName()));
  }

  @Test
  void whatADatabaseQuotesIsNotInTheParkedRow() {
    SQLException duplicate = new SQLException("ERROR: duplicate key\n  Detail: (email)=(alice)");
    bench.options =
        RelayBench.options()
            .transforms(Transforms.NONE.withMap(m -> isBad(m) ? sneak(duplicate) : m))
            .build();
    appendGoodAndBad();
    bench.steps(bench.relay(), 3);
    assertThat(bench.parked())
        .singleElement()
        .satisfies(
            row ->
                assertThat(row.error()).endsWith("ERROR: duplicate key").doesNotContain("alice"));
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void routeThatThrowsSetsItsMessageAside(Throwable thrown) {
    Route route =
        new Route(
            "mail",
            bench.publisher,
            Accepts.rule(
                "not bad",
                m -> isBad(m) ? UserCodeTest.<RuntimeException, Boolean>sneak(thrown) : true));
    appendGoodAndBad();
    bench.steps(bench.relay(List.of(route)), 3);
    assertThat(bench.published()).containsExactly("a1", "a2");
    assertThat(bench.parked())
        .singleElement()
        .satisfies(row -> assertThat(row.error()).contains(thrown.getClass().getSimpleName()));
  }

  @Test
  void messageOfARouteThatThrewIsPassedOverOnceTheRouteDoesNotWantIt() {
    Route throwing =
        new Route(
            "mail",
            bench.publisher,
            Accepts.rule(
                "1",
                m -> UserCodeTest.<RuntimeException, Boolean>sneak(new IOException("planted"))));
    bench.append("a", 1, 1);
    Relay former = bench.relay(List.of(throwing));
    bench.steps(former, 3);
    former.handOver();
    former.step();
    Route other = new Route("mail", bench.publisher, Accepts.rule("1", m -> false));
    Relay relay = bench.relay(List.of(other));
    bench.clock.advance(Duration.ofMinutes(1));
    bench.steps(relay, 5);
    assertThat(bench.parked()).isEmpty();
    assertThat(bench.published()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void listenerThatThrowsChangesNothing(Throwable thrown) {
    Relay relay =
        new Relay(
            bench.ledger.relayStore(RelayBench.SUBSCRIPTION, Start.EARLIEST),
            List.of(Route.only(bench.publisher)),
            bench.options,
            event -> UserCodeTest.sneak(thrown),
            new Relay.Surroundings(bench.clock, new Random(1)));
    bench.append("a", 1, 2);
    bench.steps(relay, 3);
    assertThat(bench.published()).containsExactly("a1", "a2");
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void publisherThatThrowsForAMessageEachTimeHasItSetAsideOnceOthersGotThrough(Throwable thrown) {
    Relay relay = bench.relay(List.of(Route.only(new Throwing(thrown))));
    appendGoodAndBad();
    bench.steps(relay, 100);
    assertThat(bench.published()).containsExactly("a1", "a2");
    assertThat(bench.parked()).isEmpty();
    bench.append("b", 1, 1);
    bench.steps(relay, 200);
    assertThat(bench.published()).containsExactly("a1", "a2", "b1");
    assertThat(bench.parked()).extracting(UserCodeTest::key).containsExactly("bad");
  }

  /** As of a client that batches, and reads a message only when it sends. */
  @Test
  void publisherThatThrowsWhenItFlushesAMessageHasItSetAside() {
    Relay relay = bench.relay(List.of(Route.only(new ThrowingInFlush())));
    appendGoodAndBad();
    bench.append("b", 1, 2);
    bench.steps(relay, 200);
    assertThat(bench.published()).contains("a1", "a2", "b1", "b2").doesNotContain("bad1");
    assertThat(bench.parked()).extracting(UserCodeTest::key).containsExactly("bad");
  }

  private final class ThrowingInFlush implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      PublisherClient client = bench.publisher.open(deliveryTimeMax, outcomes);
      Map<Long, Message> batch = new TreeMap<>();
      return new PublisherClient() {
        @Override
        public void publish(long position, int attempt, Message message) {
          batch.put(position, message);
        }

        @Override
        public void flush() {
          if (batch.values().stream().anyMatch(UserCodeTest::isBad)) {
            throw new IllegalStateException("planted");
          }
          batch.forEach((position, message) -> client.publish(position, 1, message));
          batch.clear();
          client.flush();
        }

        @Override
        public Set<Long> recall() {
          return client.recall();
        }

        @Override
        public void close() {
          batch.keySet().forEach(p -> outcomes.report(p, Outcome.unavailable("closed")));
          batch.clear();
          client.close();
        }
      };
    }
  }

  /** Publishes what is good; against its contract, it throws what is bad, and when it is closed. */
  private final class Throwing implements Publisher {

    private final Throwable thrown;

    Throwing(Throwable thrown) {
      this.thrown = thrown;
    }

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.PIPELINED;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      PublisherClient client = bench.publisher.open(deliveryTimeMax, outcomes);
      return new PublisherClient() {
        @Override
        public void publish(long position, int attempt, Message message) {
          if (isBad(message)) {
            UserCodeTest.sneak(thrown);
          }
          client.publish(position, attempt, message);
        }

        @Override
        public void flush() {
          client.flush();
        }

        @Override
        public Set<Long> recall() {
          return client.recall();
        }

        @Override
        public void close() {
          client.close();
          UserCodeTest.sneak(thrown);
        }
      };
    }
  }

  private static String key(ParkedRow row) {
    return String.valueOf(row.message().message().key());
  }

  @Test
  void outcomeWithoutAReasonIsTakenAllTheSame() {
    ByHand destination = new ByHand(KeyOrder.PIPELINED);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    bench.append("a", 1, 1);
    bench.append("b", 1, 1);
    bench.steps(relay, 2);
    destination.report(1, Outcome.rejected(noText()));
    destination.report(2, Outcome.PUBLISHED);
    bench.steps(relay, 1);
    assertThat(bench.parked()).hasSize(1);
  }

  @Test
  void outcomeThatIsNoneIsUnknown() {
    ByHand destination = new ByHand(KeyOrder.PIPELINED);
    Relay relay = bench.relay(List.of(Route.only(destination)));
    bench.append("a", 1, 1);
    bench.steps(relay, 2);
    destination.report(1, nothing());
    bench.steps(relay, 1);
    assertThat(bench.events(RelayEvent.OutageBegan.class)).hasSize(1);
    assertThat(bench.ledger.subscription(RelayBench.SUBSCRIPTION).frontier().isSettled(1))
        .isFalse();
  }

  @SuppressWarnings("NullAway") // as an exception's may be
  private static String noText() {
    return new IOException().getMessage();
  }

  @SuppressWarnings("NullAway") // as code that knows nothing of JSpecify may return it
  private static Outcome nothing() {
    return Map.<String, Outcome>of().get("");
  }

  @Test
  void messageThatAGuardRefusesIsNotPublishedByABreakerThatKeptItBack() {
    RelayBench one = new RelayBench(KeyOrder.ONE_AT_A_TIME);
    Backoff seconds = new Backoff(Duration.ofSeconds(8), Duration.ofSeconds(8));
    one.options =
        RelayBench.options()
            .retry(new RetryPolicy(5, seconds, DeadLetter.KEY_GOES_ON))
            .breaker(new BreakerPolicy(1, Duration.ofHours(1), seconds, 1))
            .transforms(
                Transforms.NONE.withGuard(
                    m ->
                        m.id().getLeastSignificantBits() == 2
                            ? Optional.of("secret")
                            : Optional.empty()))
            .build();
    one.publisher.rejectWhen(m -> true, new Rejected("it threw", Rejected.Kind.SUSPECT));
    Relay relay = one.relay();
    one.append("x", 1, 1);
    one.append("a", 1, 1);
    one.steps(relay, 5);
    one.append("a", 2, 2);
    one.steps(relay, 5);
    one.publisher.acceptAll();
    one.publisher.rejectWhen(
        m -> m.id().getLeastSignificantBits() == 1, new Rejected("no", Rejected.Kind.FINAL));
    one.steps(relay, 2_000);
    assertThat(one.published()).isEmpty();
    assertThat(one.parked(ParkedState.DEAD)).isEqualTo(3);
  }
}
