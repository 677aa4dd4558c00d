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

class QueueSourceTest {

  private final ScriptedQueue queue = new ScriptedQueue();
  private final List<String> handled = new ArrayList<>();
  private final List<String> failing = new ArrayList<>();
  private long nanos;
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

  @Test
  void whatIsHeldIsKeptFromBeingDeliveredAgain() {
    failing.add("a1");
    queue.add("a1", "a2");
    receiver.step(source);
    pass(Duration.ofSeconds(1));

    assertThat(queue.kept()).containsExactly("a1", "a2");
  }

  @Test
  void noMoreIsTakenWhileAThousandAreHeld() {
    failing.add("a0");
    for (int i = 0; i < 1_000; i++) {
      queue.add("a" + i);
    }
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
  void whatIsNoMessageHoldsItsStream() {
    queue.add("a1?", "a2", "b1");
    receiver.step(source);

    assertThat(handled).containsExactly("b1");
    assertThat(queue.unacknowledged()).containsExactly("a1?", "a2");
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
