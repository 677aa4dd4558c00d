// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.testing.ParkedAttempt;
import io.outledger.testing.ParkedRow;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which attempts a relay tells of, and how long each took. */
class AttemptsTest {

  private static final Rejected NO = new Rejected("too large", Rejected.Kind.DEFINITE);
  private static final Backoff SOON = new Backoff(Duration.ofMillis(10), Duration.ofMillis(10));
  private static final Duration TOOK = Duration.ofMillis(7);

  private final RelayBench bench = new RelayBench();

  private void attemptsMax(int attempts) {
    bench.options =
        RelayBench.options()
            .retry(RetryPolicy.DEFAULT.withAttemptsMax(attempts).withBackoff(SOON))
            .build();
  }

  /** Rejects everything, after a while. */
  private void rejectSlowly(RecordingPublisher publisher) {
    publisher.rejectWhen(
        message -> {
          bench.clock.advance(TOOK);
          return true;
        },
        NO);
  }

  private void run(Relay relay) {
    for (int i = 0; i < 40; i++) {
      bench.clock.advance(Duration.ofSeconds(1));
      bench.steps(relay, 1);
    }
  }

  private static List<Integer> numbers(ParkedRow row) {
    return row.attempts().stream().map(ParkedAttempt::number).toList();
  }

  @Test
  void attemptIsTimedFromTheHandOverToItsOutcome() {
    attemptsMax(12);
    rejectSlowly(bench.publisher);
    bench.append("a", 1, 1);
    run(bench.relay());
    ParkedRow dead = bench.parked().get(0);
    assertThat(dead.message().attempts()).isEqualTo(12);
    assertThat(numbers(dead)).containsExactly(1, 2, 3, 4, 5, 8, 9, 10, 11, 12);
    assertThat(dead.attempts())
        .allSatisfy(each -> assertThat(each.took()).isEqualTo(TOOK))
        .allSatisfy(each -> assertThat(each.error()).isEqualTo("too large"))
        .extracting(ParkedAttempt::failedAt)
        .isSorted();
  }

  @Test
  void routesOfAMessageHaveTheirOwnAttempts() {
    attemptsMax(3);
    RecordingPublisher other = new RecordingPublisher();
    rejectSlowly(bench.publisher);
    other.rejectNext(1, NO);
    bench.append("a", 1, 1);
    Relay relay =
        bench.relay(
            List.of(
                new Route("good", other, Accepts.everything()),
                new Route("bad", bench.publisher, Accepts.everything())));
    bench.steps(relay, 2);
    assertThat(bench.parked()).hasSize(2);
    assertThat(bench.parked()).allSatisfy(row -> assertThat(numbers(row)).containsExactly(1));
    run(relay);
    assertThat(bench.parked())
        .singleElement()
        .satisfies(row -> assertThat(row.message().route()).isEqualTo("bad"))
        .satisfies(row -> assertThat(numbers(row)).containsExactly(1, 2, 3));
  }

  @Test
  void whatIsHeldBehindItsKeyHasNone() {
    RelayBench ordered = new RelayBench(KeyOrder.ONE_AT_A_TIME);
    ordered.publisher.rejectNext(1, NO);
    ordered.append("a", 1, 2);
    ordered.steps(ordered.relay(), 2);
    assertThat(ordered.parked())
        .extracting(row -> row.message().state() + " " + row.attempts().size())
        .containsExactly("RETRYING 1", "HELD 0");
  }

  @Test
  void successorOfAKilledRelayGoesOnCounting() {
    attemptsMax(20);
    rejectSlowly(bench.publisher);
    bench.append("a", 1, 1);
    bench.steps(bench.relay(), 2);
    int before = bench.parked().get(0).message().attempts();
    Relay successor = bench.relay();
    bench.steps(successor, 1);
    bench.clock.advance(RelayBench.LEASE.multipliedBy(2));
    bench.steps(successor, 10);
    ParkedRow row = bench.parked().get(0);
    assertThat(row.message().attempts()).isGreaterThan(before);
    assertThat(row.attempts()).last().matches(last -> last.number() == row.message().attempts());
    assertThat(numbers(row)).startsWith(1, 2).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void nobodyKnowsHowLongWhatWasNeverHandedOverTook() {
    bench.options =
        RelayBench.options()
            .transforms(Transforms.NONE.withGuard(message -> Optional.of("not for export")))
            .build();
    bench.append("a", 1, 1);
    bench.steps(bench.relay(), 2);
    assertThat(bench.parked().get(0).attempts())
        .singleElement()
        .matches(each -> each.took() == null && each.number() == 1);
  }
}
