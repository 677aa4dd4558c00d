// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.Received;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueSourceTest {

  private final ScriptedQueue queue = new ScriptedQueue();
  private final List<String> handled = new ArrayList<>();
  private final List<String> failing = new ArrayList<>();
  private long nanos;
  private Duration handling = Duration.ZERO;
  private final QueueSource<String> source = source();
  private final Receiver<String> receiver =
      new Receiver<>(
          this::handle,
          new ReceiverContext(
              "queue",
              ReceiverOptions.DEFAULT,
              ReceiverListener.NONE,
              time(),
              new SplittableRandom(1)));

  @Test
  void whatIsHandledIsAcknowledged() {
    queue.add("a1", "b1", "a2");

    receiver.step(source);

    assertThat(handled).containsExactlyInAnyOrder("a1", "b1", "a2");
    assertThat(queue.isDone()).isTrue();
  }

  @Test
  void aMessageThatFailsHoldsItsStreamAndNotTheOthers() {
    failing.add("a1");
    queue.add("a1", "b1", "a2");
    receiver.step(source);
    queue.add("a3", "b2");
    receiver.step(source);

    assertThat(handled).containsExactly("b1", "b2");

    failing.clear();
    pass(Duration.ofSeconds(1));

    assertThat(handled).containsExactly("b1", "b2", "a1", "a2", "a3");
    assertThat(queue.isDone()).isTrue();
  }

  @Test
  void streamsAreRememberedOnlyWhileTheyAreInTrouble() {
    failing.add("a1");
    queue.add("a1", "b1", "c1");
    receiver.step(source);
    assertThat(receiver.troubledStreams()).isEqualTo(1);

    failing.clear();
    pass(Duration.ofSeconds(1));
    assertThat(receiver.troubledStreams()).isZero();
  }

  /** As with a key that another instance has after the broker was connected to again. */
  @Test
  void streamThatFailedAndNeverCameBackIsForgotten() throws Exception {
    failing.add("a1");
    queue.add("a1");
    receiver.step(source);
    QueueSource<String> reconnected =
        new QueueSource<>(new ScriptedQueue().open(), time(), longest -> {}, () -> false);
    nanos += Duration.ofMinutes(30).toNanos();
    receiver.step(reconnected);
    assertThat(receiver.troubledStreams()).isEqualTo(1);

    nanos += Duration.ofMinutes(40).toNanos();
    receiver.step(reconnected);
    assertThat(receiver.troubledStreams()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsHeldIsKeptFromBeingDeliveredAgain(boolean pauses) {
    queue.pauses = pauses;
    failing.add("a1");
    queue.add("a1", "a2");
    receiver.step(source);
    pass(Duration.ofSeconds(1));

    assertThat(queue.kept()).containsExactly("a1", "a2");
  }

  /** Behind them there is something to compare with, and they can be paused. */
  @Test
  void streamsThatWantMoreKeepNoOtherWaiting() {
    queue.pauses = true;
    for (char stream = 'a'; stream < 'd'; stream++) {
      addMany(stream, 500);
    }
    for (Batch<String> batch : source.receive()) {
      source.giveBack(batch, Duration.ofDays(1), true);
    }
    queue.add("z1");

    assertThat(source.receive()).extracting(Batch::stream).containsExactly('z');
  }

  @Test
  void noMoreIsTakenWhileAThousandAreHeldOfStreamsThatCannotBePaused() {
    failing.add("a0");
    addMany('a', 1_000);
    receiver.step(source);
    queue.add("b1");
    receiver.step(source);

    assertThat(handled).isEmpty();

    failing.clear();
    pass(Duration.ofSeconds(1));
    receiver.step(source);

    assertThat(handled).hasSize(1_001).contains("b1");
  }

  @Test
  void aStreamThatWaitsIsPausedAndHoldsNoOtherHoweverManyMessagesItHas() {
    queue.pauses = true;
    failing.add("a0");
    addMany('a', 1_000);
    receiver.step(source);
    for (int i = 0; i < 10; i++) {
      queue.add("a-more" + i, "b" + i);
      receiver.step(source);
    }

    assertThat(handled).hasSize(10).allMatch(id -> id.startsWith("b"));
    assertThat(queue.paused()).containsExactly('a');

    failing.clear();
    pass(Duration.ofSeconds(1));

    assertThat(handled.subList(10, 1_020)).startsWith("a0", "a1").endsWith("a-more8", "a-more9");
    assertThat(queue.paused()).isEmpty();
    assertThat(queue.isDone()).isTrue();
  }

  @Test
  void aStreamIsPausedForAsLongAsItWaits() {
    queue.pauses = true;
    failing.add("a1");
    queue.add("a1", "a2");
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofMinutes(1));
      assertThat(queue.paused()).containsExactly('a');
    }
    failing.clear();
    pass(Duration.ofMinutes(1));
    assertThat(queue.paused()).isEmpty();
  }

  /** As many streams may wait as there are partitions, and memory has an end. */
  @Test
  void noMoreIsTakenWhileTenThousandAreHeldOfAllStreams() {
    queue.pauses = true;
    for (char stream = 'a'; stream < 'k'; stream++) {
      failing.add(stream + "0");
      addMany(stream, 1_000);
      receiver.step(source);
    }
    queue.add("z1");
    receiver.step(source);

    assertThat(handled).isEmpty();

    failing.clear();
    pass(Duration.ofSeconds(1));
    receiver.step(source);

    assertThat(handled).hasSize(10_001).contains("z1");
  }

  /** With many streams and a slow failure one of them is always due. */
  @Test
  void whatIsNewIsReceivedAlthoughSomeStreamIsAlwaysDue() {
    queue.pauses = true;
    handling = Duration.ofMinutes(1);
    for (char stream = 'a'; stream < 'u'; stream++) {
      failing.add(stream + "1");
      queue.add(stream + "1");
    }
    receiver.step(source);
    queue.add("z1");
    for (int i = 0; i < 4; i++) {
      receiver.step(source);
    }

    assertThat(handled).containsExactly("z1");

    failing.clear();
    for (int i = 0; i < 4; i++) {
      receiver.step(source);
    }
    assertThat(handled).hasSize(21);
    assertThat(queue.isDone()).isTrue();
  }

  private void addMany(char stream, int count) {
    for (int i = 0; i < count; i++) {
      queue.add(stream + String.valueOf(i));
    }
  }

  @Test
  void whatIsNoMessageHoldsItsStream() {
    queue.add("a1?", "a2", "b1");
    receiver.step(source);

    assertThat(handled).containsExactly("b1");
    assertThat(queue.unacknowledged()).containsExactly("a1?", "a2");
  }

  @Test
  void whatIsNoMessageIsNotedAtOnceWhereSomebodyNotes() {
    queue.notes = true;
    queue.add("a1?", "a2");
    receiver.step(source);

    assertThat(handled).containsExactly("a2");
    assertThat(queue.noted()).containsExactly("OUT-014 no message");
    assertThat(queue.isDone()).isTrue();
  }

  /** Memory may be short for another reason than the message that is being read. */
  @Test
  void messageThatCouldNotBeReadIsReadAgainAndNotGivenUp() {
    List<String> read = new ArrayList<>();
    queue.reader = id -> failingTwice(id, read);
    queue.notes = true;
    queue.add("a1", "b1", "a2");
    receiver.step(source);

    assertThat(handled).containsExactly("b1");

    pass(Duration.ofSeconds(1));
    assertThat(handled).containsExactly("b1", "a1", "a2");
    assertThat(queue.noted()).isEmpty();
    assertThat(queue.isDone()).isTrue();
  }

  private static Received failingTwice(String id, List<String> read) {
    read.add(id);
    if (id.equals("a1") && read.stream().filter(id::equals).count() <= 2) {
      throw new OutOfMemoryError("planted");
    }
    return ScriptedQueue.read(id);
  }

  @Test
  void messageWhoseReadingFailsEveryTimeIsNotedInTheEnd() {
    queue.reader = QueueSourceTest::failingAlways;
    queue.notes = true;
    queue.add("a1", "a2", "b1", "b2");
    for (int i = 0; i < 9; i++) {
      receiver.step(source);
      nanos += Duration.ofMinutes(1).toNanos();
    }
    assertThat(queue.noted()).isEmpty();
    assertThat(handled).isEmpty();

    pass(Duration.ofMinutes(1));
    assertThat(handled).containsExactlyInAnyOrder("a2", "b2");
    assertThat(queue.noted())
        .hasSize(2)
        .anyMatch(reason -> reason.matches("OUT-014 a1 .*StackOverflowError.*planted.*"))
        .anyMatch(reason -> reason.matches("OUT-014 b1 .*IllegalStateException.*planted.*"));
    assertThat(queue.isDone()).isTrue();
  }

  @Test
  void messageWhoseReadingFailsEveryTimeHoldsItsStreamWhereNobodyNotes() {
    queue.reader = QueueSourceTest::failingAlways;
    queue.add("a1", "a2", "c1");
    for (int i = 0; i < 30; i++) {
      pass(Duration.ofMinutes(1));
    }
    assertThat(handled).containsExactly("c1");
    queue.reader = ScriptedQueue::read;
    pass(Duration.ofMinutes(1));
    assertThat(handled).containsExactly("c1", "a1", "a2");
  }

  private static Received failingAlways(String id) {
    if (id.equals("a1")) {
      throw new StackOverflowError("planted");
    }
    if (id.equals("b1")) {
      throw new IllegalStateException("planted");
    }
    return ScriptedQueue.read(id);
  }

  @Test
  void aFailureOfTheBrokerPassesThrough() {
    IOException lost = new IOException("connection lost");
    queue.failOnce(lost);

    assertThatThrownBy(() -> receiver.step(source)).hasCause(lost);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    receiver.step(source);
    receiver.step(source);
    receiver.step(source);
  }

  private void handle(List<Received> batch) {
    nanos += handling.toNanos();
    List<String> ids = batch.stream().map(Received::id).toList();
    if (ids.stream().anyMatch(failing::contains)) {
      throw new IllegalStateException("fails on purpose");
    }
    handled.addAll(ids);
  }

  private QueueSource<String> source() {
    try {
      return new QueueSource<>(queue.open(), time(), longest -> {}, () -> false);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private TimeSource time() {
    return new TimeSource() {
      @Override
      public Instant now() {
        return Instant.EPOCH;
      }

      @Override
      public long nanoTime() {
        return nanos;
      }
    };
  }
}
