// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.store.ParkedState;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is to blame where what a handler needs is away: a message, its kind or all of it. */
class ReceiverBlameTest {

  private final ReceiverBench bench = new ReceiverBench(10);

  private static Throwable away() {
    return new DestinationUnavailableException("the bank is closed", null);
  }

  private static Throwable lost() {
    return new StoreException(ErrorCode.STORE_UNAVAILABLE, "the session was lost", null);
  }

  private static boolean isBad(Received message) {
    return message.id().startsWith("bad");
  }

  private void badMeets(Throwable thrown) {
    bench.meets = message -> isBad(message) ? thrown : null;
  }

  private void send(String stream, String key, String... ids) {
    for (String id : ids) {
      bench.send(stream, key, "placed", id);
    }
  }

  private void sendOthers(String stream, int count) {
    IntStream.range(0, count).forEach(i -> send(stream, stream + "-" + i % 5, stream + i));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void messageThatAlwaysMeetsAnOutageHoldsItsKeyAndNotItsStream(boolean isOfTheDatabase) {
    badMeets(isOfTheDatabase ? lost() : away());
    send("s", "a", "bad", "behind1", "behind2");
    sendOthers("s", 40);
    bench.steps(60);
    assertThat(bench.handled()).hasSize(40).doesNotHaveDuplicates();
    assertThat(bench.parkedIds(ParkedState.RETRYING)).containsExactly("bad");
    assertThat(bench.parked(ParkedState.RETRYING).get(0).attempts()).isPositive();
    assertThat(bench.parkedIds(ParkedState.HELD)).containsExactly("behind1", "behind2");
    bench.meets = message -> null;
    bench.steps(20);
    bench.assertAllHandledOnceInOrder();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 15})
  void severalInARowAreFoundOneAfterTheOther(int count) {
    badMeets(away());
    IntStream.range(0, count).forEach(i -> send("s", "a" + i, "bad" + i, "behind" + i));
    sendOthers("s", 60);
    bench.steps(200 + 60 * count);
    assertThat(bench.parkedIds(ParkedState.RETRYING))
        .hasSize(count)
        .allMatch(ReceiverBlameTest::bad);
    assertThat(bench.parkedIds(ParkedState.HELD)).hasSize(count);
    assertThat(bench.handled()).hasSize(60).doesNotHaveDuplicates();
  }

  private static boolean bad(String id) {
    return id.startsWith("bad");
  }

  @Test
  void messagesWithoutAKeyAreKeysOfTheirOwn() {
    badMeets(away());
    for (int i = 0; i < 45; i++) {
      bench.send("s", null, "placed", i % 13 == 0 ? "bad" + i : "m" + i);
    }
    bench.steps(400);
    assertThat(bench.handled()).hasSize(41).doesNotHaveDuplicates();
    assertThat(bench.parkedIds(ParkedState.RETRYING)).hasSize(4).allMatch(ReceiverBlameTest::bad);
  }

  /** A paused stream brings nothing more: so it is not paused while there is nothing to compare. */
  @Test
  void aloneItIsNotBlamedUntilOthersHaveCome() {
    badMeets(away());
    send("s", "a", "bad", "behind");
    bench.steps(100);
    assertThat(bench.store.parked()).isEmpty();
    assertThat(bench.handled()).isEmpty();
    assertThat(bench.events(ReceiverEvent.Unavailable.class)).hasSizeGreaterThan(10);
    sendOthers("s", 20);
    bench.steps(60);
    assertThat(bench.parkedIds(ParkedState.RETRYING)).containsExactly("bad");
    assertThat(bench.handled()).hasSize(20);
  }

  @Test
  void messageOfAStreamOfItsOwnIsBlamedWhereOthersOfOtherStreamsGetThrough() {
    badMeets(away());
    send("alone", "a", "bad", "behind");
    for (int i = 0; i < 40; i++) {
      send("s", "k", "m" + i);
      bench.step();
    }
    assertThat(bench.parkedIds(ParkedState.RETRYING)).containsExactly("bad");
    assertThat(bench.parkedIds(ParkedState.HELD)).containsExactly("behind");
    assertThat(bench.handled()).hasSize(40);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 4_000})
  void nothingIsBlamedWhileNothingGetsThroughHoweverLong(int steps) {
    bench.meets = message -> away();
    sendOthers("s", 100);
    sendOthers("t", 100);
    bench.steps(steps);
    assertThat(bench.store.parked()).isEmpty();
    bench.meets = message -> null;
    bench.steps(40);
    bench.assertAllHandledOnceInOrder();
    assertThat(bench.events(ReceiverEvent.Parked.class)).isEmpty();
  }

  /** What one kind of message needs is away, and the others need it not. */
  @Test
  void outageOfOneKindMakesNoDeadLetterAndParksLittle() {
    bench.options =
        bench.options.withRetry(RetryPolicy.DEFAULT.withAttemptsMax(3)).withParkedMax(1_000);
    bench.meets = message -> message.type().equals("paid") ? away() : null;
    for (int i = 0; i < 300; i++) {
      bench.send("s", "p" + i, "paid", "p" + i);
      bench.send("s", "k" + i % 5, "placed", "m" + i);
    }
    bench.steps(20 * 60 * 5);
    assertThat(bench.store.parked()).allMatch(row -> row.attempts() == 0).hasSizeLessThan(40);
    bench.meets = message -> null;
    bench.steps(20 * 60);
    bench.assertAllHandledOnceInOrder();
    assertThat(bench.events(ReceiverEvent.Died.class)).isEmpty();
  }

  @Test
  void onlyOneOfItsKindIsSetAsideWithoutAnAttempt() {
    bench.meets = message -> message.type().equals("paid") ? away() : null;
    bench.send("s", "p", "paid", "bad");
    send("s", "p", "behind");
    sendOthers("s", 40);
    bench.steps(80);
    assertThat(bench.handled()).hasSize(40);
    assertThat(bench.parkedIds(ParkedState.RETRYING)).containsExactly("bad");
    assertThat(bench.parkedIds(ParkedState.HELD)).containsExactly("behind");
    assertThat(bench.parked(ParkedState.RETRYING).get(0).attempts()).isZero();
    assertThat(bench.parked(ParkedState.RETRYING).get(0).reason()).contains("the bank is closed");
  }

  @Test
  void parkedMessageThatMeetsItAgainCountsAnAttemptEachTimeAndDies() {
    bench.options = bench.options.withRetry(bench.options.retry().withAttemptsMax(3));
    badMeets(away());
    send("s", "a", "bad", "behind");
    for (int i = 0; i < 200; i++) {
      send("s", "k", "m" + i);
      bench.step();
    }
    assertThat(bench.parkedIds(ParkedState.DEAD)).containsExactly("bad");
    assertThat(bench.parked(ParkedState.DEAD).get(0).attempts()).isEqualTo(3);
    assertThat(bench.handled()).hasSize(201).contains("behind");
  }

  @Test
  void whatTookEffectBeforeItsTurnDoesSoOnceAfterACrash() {
    badMeets(away());
    send("s", "a", "bad");
    sendOthers("s", 30);
    for (int i = 0; i < 20; i++) {
      bench.steps(4);
      bench.restart();
    }
    bench.steps(60);
    assertThat(bench.handled()).hasSize(30).doesNotHaveDuplicates();
    assertThat(bench.parkedIds(ParkedState.RETRYING)).containsExactly("bad");
  }

  @Test
  void whereNothingIsParkedItHoldsItsStream() {
    bench.options = bench.options.withoutParking();
    badMeets(away());
    send("s", "a", "bad");
    sendOthers("s", 20);
    bench.steps(100);
    assertThat(bench.handled()).isEmpty();
    assertThat(bench.store.parked()).isEmpty();
  }

  @Test
  void anotherOneThatFailsOnItsWayToBeComparedIsParkedAsAnyThatFails() {
    bench.meets =
        message ->
            isBad(message)
                ? away()
                : message.id().startsWith("fails") ? new AssertionError("planted") : null;
    send("s", "a", "bad");
    send("s", "b", "fails", "behind");
    sendOthers("s", 20);
    bench.steps(80);
    assertThat(bench.parkedIds(ParkedState.RETRYING)).containsExactlyInAnyOrder("bad", "fails");
    assertThat(bench.parkedIds(ParkedState.HELD)).containsExactly("behind");
    assertThat(bench.handled()).hasSize(20).doesNotHaveDuplicates();
  }
}
