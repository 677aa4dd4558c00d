// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static io.outledger.relay.RelayBench.SUBSCRIPTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome.Rejected;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.store.PauseScope;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** More keys wait for parked messages than memory is to hold, whatever these wait for. */
class TooManyKeysTest {

  private static final int WINDOW = 100;
  private static final int KEYS_MAX = 2_000;
  private static final PauseScope BILLS = PauseScope.topic("bills");
  private static final String PAUSED =
      " until they are resumed, because topic bills is paused by anna: the vendor is down";

  private final RelayBench bench = new RelayBench();

  TooManyKeysTest() {
    bench.options = RelayBench.options().window(w -> w.withMessages(WINDOW)).build();
  }

  private void pause(PauseScope scope) {
    bench.ledger.subscription(SUBSCRIPTION).pause(scope, "anna", "the vendor is down");
  }

  private void resume(PauseScope scope) {
    bench.ledger.subscription(SUBSCRIPTION).resume(scope);
  }

  /** Appends one message to each of so many keys. */
  private void append(int keys, String topic) {
    for (int key = 0; key < keys; key++) {
      bench.ledger.inNewTransaction(RelayBench.message(topic + key + ".", 1, topic));
    }
  }

  private void assertThatReadingWaits(Relay relay, String reason) {
    int polls = bench.calls("poll");
    int parked = bench.parked().size();
    bench.steps(relay, 50);
    assertThat(bench.calls("poll")).as("reading waits").isEqualTo(polls);
    assertThat(bench.parked()).hasSize(parked);
    assertThat(parked).isBetween(KEYS_MAX, KEYS_MAX + 2 * WINDOW);
    assertThat(bench.events(RelayEvent.TooManyKeys.class))
        .last()
        .satisfies(event -> assertThat(event.reason()).isEqualTo(event.keys() + reason));
  }

  private void takesOver(Relay relay) {
    bench.steps(relay, 1); // it sees the lease of one that is gone
    bench.clock.advance(RelayBench.LEASE.multipliedBy(3));
    bench.steps(relay, 10);
  }

  private void stepUntilPublished(Relay relay, int messages) {
    for (int i = 0; i < 5_000 && bench.published().size() < messages; i++) {
      bench.steps(relay, 1);
      bench.clock.advance(Duration.ofMillis(200));
    }
    bench.steps(relay, 50);
    assertThat(bench.published()).hasSize(messages).doesNotHaveDuplicates();
    assertThat(bench.parked()).isEmpty();
  }

  @Test
  void keysOfAPausedTopicAreBoundedForEachOwnerUntilItIsResumed() {
    Relay first = bench.relay();
    bench.steps(first, 2);
    pause(BILLS);
    append(2 * KEYS_MAX, "bills");
    append(5, "orders");
    bench.steps(first, 100);
    assertThatReadingWaits(first, PAUSED);
    first.close();
    Relay second = bench.relay();
    takesOver(second);
    assertThatReadingWaits(second, PAUSED);
    assertThat(bench.events(RelayEvent.TooManyKeys.class)).as("each says it").hasSize(2);
    assertThat(bench.published()).isEmpty();
    resume(BILLS);
    stepUntilPublished(second, 2 * KEYS_MAX + 5);
    assertThat(bench.events(RelayEvent.FewerKeys.class)).hasSize(1);
  }

  /** It reads what its predecessor left open, or no parked message would ever be tried. */
  @Test
  void ownerThatTakesOverTooManyKeysReadsWhatIsOpen() {
    Relay first = bench.relay();
    bench.steps(first, 2);
    pause(BILLS);
    bench.publisher.holdOutcomes();
    append(30, "orders");
    append(2 * KEYS_MAX, "bills");
    bench.steps(first, 100);
    assertThatReadingWaits(first, PAUSED);
    bench.publisher.releaseOutcomes();
    bench.options =
        RelayBench.options()
            .window(w -> w.withMessages(WINDOW))
            .polling(p -> p.withPageBytesMax(100)) // not all that is open fits
            .build();
    Relay second = bench.relay();
    takesOver(second);
    assertThatReadingWaits(second, PAUSED);
    assertThat(bench.published()).as("those that were open, again").hasSize(60);
    resume(BILLS);
    for (int i = 0; i < 5_000 && bench.published().size() < 2 * KEYS_MAX + 60; i++) {
      bench.steps(second, 1);
      bench.clock.advance(Duration.ofMillis(200));
    }
    assertThat(bench.published()).hasSize(2 * KEYS_MAX + 60);
  }

  @Test
  void keysOfMessagesThatAreNotYetToBeHandledAreBounded() {
    bench.publisher.rejectWhen(
        message -> true, new Rejected("a newer build has it", Rejected.Kind.NOT_YET));
    assertThatRejectedOnesAreBounded();
  }

  /** They are tried again all the time: else a few would be read each time, and it be told. */
  @Test
  void readingResumesWhenAQuarterOfTheKeysWaitsNoMore() {
    rejectFrom(0);
    append(2 * KEYS_MAX, "orders");
    Relay relay = bench.relay();
    bench.steps(relay, 100);
    int polls = bench.calls("poll");
    int parked = bench.parked().size();
    rejectFrom(KEYS_MAX / 20);
    goOn(relay);
    assertThat(bench.parked()).hasSize(parked - KEYS_MAX / 20);
    assertThat(bench.calls("poll")).isEqualTo(polls);
    assertThat(bench.events(RelayEvent.TooManyKeys.class)).hasSize(1);
    rejectFrom(KEYS_MAX / 2);
    goOn(relay);
    assertThat(bench.calls("poll")).isGreaterThan(polls);
    assertThat(bench.events(RelayEvent.FewerKeys.class)).isNotEmpty();
  }

  /** Rejects the messages of all keys but the first ones, for as long as that lasts. */
  private void rejectFrom(int key) {
    bench.publisher.acceptAll();
    bench.publisher.rejectWhen(
        message -> Integer.parseInt(String.valueOf(message.key()).replaceAll("\\D", "")) >= key,
        new Rejected("a newer build has it", Rejected.Kind.NOT_YET));
  }

  private void goOn(Relay relay) {
    for (int i = 0; i < 600; i++) {
      bench.clock.advance(Duration.ofSeconds(1));
      relay.step();
    }
  }

  @Test
  void keysOfRejectedMessagesAreBounded() {
    bench.publisher.rejectWhen(message -> true, new Rejected("too large", Rejected.Kind.DEFINITE));
    assertThatRejectedOnesAreBounded();
  }

  private void assertThatRejectedOnesAreBounded() {
    append(2 * KEYS_MAX, "orders");
    Relay relay = bench.relay();
    for (int i = 0; i < 100; i++) {
      relay.step(); // no time passes: none is tried again
    }
    assertThat(bench.parked()).hasSizeBetween(KEYS_MAX, KEYS_MAX + 2 * WINDOW);
    assertThat(bench.events(RelayEvent.TooManyKeys.class))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.reason()).isEqualTo(event.keys() + " because they were rejected"));
    bench.publisher.acceptAll();
    stepUntilPublished(relay, 2 * KEYS_MAX);
  }

  @Test
  void keysOfAPausedRouteAreBoundedAndItIsNamed() {
    RecordingPublisher mail = new RecordingPublisher();
    Relay relay =
        bench.relay(
            List.of(
                new Route("mail", mail, Accepts.everything()),
                new Route("stock", bench.publisher, Accepts.everything())));
    bench.steps(relay, 2);
    pause(PauseScope.route("mail"));
    append(2 * KEYS_MAX, "orders");
    bench.steps(relay, 200);
    assertThat(bench.events(RelayEvent.TooManyKeys.class))
        .singleElement()
        .returns("mail", RelayEvent.TooManyKeys::route)
        .satisfies(
            event ->
                assertThat(event.reason())
                    .isEqualTo(
                        event.keys()
                            + " because route mail is paused by anna: the vendor is down"));
    resume(PauseScope.route("mail"));
    stepUntilPublished(relay, 2 * KEYS_MAX);
    assertThat(mail.messages()).hasSize(2 * KEYS_MAX);
  }
}
