// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.StoreException;
import io.outledger.UnreadablePayloadException;
import io.outledger.inbox.Received;
import io.outledger.log.QuietLog;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.store.ParkedFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a failure says of its message is the same at the first attempt and at each retry. */
class RetriedFailuresTest {

  private static final int KEYS_THAT_OPEN = 3;

  private final SetTime clock = new SetTime();
  private final QuietLog log = new QuietLog(RetriedFailuresTest.class, "receiver", clock);
  private final ScriptedStore store = new ScriptedStore();
  private final ReceiverContext context =
      new ReceiverContext(
          "queue",
          ReceiverOptions.DEFAULT.withBreaker(
              new BreakerPolicy(
                  KEYS_THAT_OPEN,
                  BreakerPolicy.DEFAULT.probeFor(),
                  BreakerPolicy.DEFAULT.probes(),
                  1)),
          ReceiverListener.NONE,
          clock,
          new SplittableRandom(1));
  private final ReceiverBreakers breakers = new ReceiverBreakers(context);
  private final ReceiverSuspects suspects = new ReceiverSuspects();

  private static RuntimeException thrown(Failure kind) {
    return switch (kind) {
      case UNAVAILABLE -> ScriptedStore.down();
      case FULL -> new StoreException(ErrorCode.TOO_MANY_PARKED, "no room");
      case SUSPECT -> new IllegalStateException("fails on purpose");
      case NOT_YET -> new StoreException(ErrorCode.SCHEMA_PENDING, "being fetched");
      case NOT_HERE -> new StoreException(ErrorCode.SAGA_UNREADABLE, "a newer state");
      case UNREADABLE -> new UnreadablePayloadException(ErrorCode.UNREADABLE_PAYLOAD, "no JSON");
      case FINAL -> new InvalidMessageException(ErrorCode.INVALID_MESSAGE, "no topic");
    };
  }

  private static boolean countsAttempts(Failure kind) {
    return kind == Failure.SUSPECT || kind == Failure.UNREADABLE || kind == Failure.FINAL;
  }

  private static Received message(int i) {
    String key = "k" + i;
    return new Received("/orders", key, "orders", key, "t", 1, new byte[0], Map.of(), null, "", "");
  }

  private static Stream<Received> messages() {
    return Stream.iterate(0, i -> i + 1).limit(KEYS_THAT_OPEN).map(RetriedFailuresTest::message);
  }

  private void requireThatOnlyASuspectOpensTheBreaker(Failure kind) {
    assertThat(breakers.isClosed(ParkedReceived.of(message(0)))).isEqualTo(kind != Failure.SUSPECT);
  }

  @ParameterizedTest
  @EnumSource
  void onlyWhatMayBeTheHandlersOpensABreakerAtTheFirstAttempt(Failure kind) {
    assertThat(Failure.of(thrown(kind))).isEqualTo(kind);
    store.work = Optional.of(thrown(kind));
    ParkingIntake intake = new ParkingIntake(store, context, breakers, suspects, log);
    messages()
        .forEach(
            message -> intake.take(new Intake.Waiting(List.of(message), List.of()), () -> false));
    requireThatOnlyASuspectOpensTheBreaker(kind);
    assertThat(store.rows).allMatch(row -> row.failure().attempts() > 0 == countsAttempts(kind));
  }

  @ParameterizedTest
  @EnumSource
  void onlyWhatMayBeTheHandlersOpensABreakerAtARetry(Failure kind) {
    store.work = Optional.of(thrown(kind));
    messages().map(ParkedReceived::of).forEach(store::isDue);
    ParkedRetries retries = new ParkedRetries(store, context, breakers, suspects, log);
    assertThat(retries.step()).isZero();
    requireThatOnlyASuspectOpensTheBreaker(kind);
    if (kind != Failure.FULL) { // a retry needs no room
      ParkedFailure first = store.failed.get(0);
      assertThat(first.attempts() > 0).isEqualTo(countsAttempts(kind));
    }
  }
}
