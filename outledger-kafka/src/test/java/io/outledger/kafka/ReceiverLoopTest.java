// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.kafka.SteppedReceiver.ONE;
import static io.outledger.kafka.SteppedReceiver.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drives the loop one step at a time over Kafka's own stand-in for its consumer. */
final class ReceiverLoopTest {

  private final SteppedReceiver receiver = new SteppedReceiver();
  private final FailingConsumer consumer = receiver.consumer;
  private final SettableClock clock = receiver.clock;
  private final List<String> effects = receiver.effects;
  private final Set<String> bad = receiver.bad;
  private final ReceiverLoop loop = loop(receiver::receive);

  private ReceiverLoop loop(BatchHandler handler) {
    return receiver.loop(handler, "orders");
  }

  @BeforeEach
  void assign() {
    loop.subscribe();
    receiver.assign(ZERO, ONE);
  }

  private void add(TopicPartition partition, long first, long last) {
    receiver.add(partition, first, last);
  }

  private long committed(TopicPartition partition) {
    return receiver.committed(partition);
  }

  @Test
  void offsetsAreCommittedAfterTheEffects() {
    loop(batch -> assertThat(committed(ZERO)).isZero());
    add(ZERO, 0, 9);
    loop.step();
    assertThat(effects).hasSize(10);
    assertThat(committed(ZERO)).isEqualTo(10);
  }

  @Test
  void badRecordHoldsItsPartitionAndWhatIsGoodBeforeItTakesEffect() {
    bad.add("5");
    add(ZERO, 0, 9);
    loop.step();
    for (int i = 0; i < 20; i++) {
      readAgain();
    }
    assertThat(effects).containsExactly("0", "1", "2", "3", "4");
    assertThat(committed(ZERO)).isEqualTo(5);
    assertThat(consumer.paused()).containsExactly(ZERO);

    bad.clear();
    for (int i = 0; i < 5; i++) {
      readAgain();
    }
    assertThat(effects).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    assertThat(committed(ZERO)).isEqualTo(10);
    assertThat(consumer.paused()).isEmpty();
  }

  /** Lets the back-off pass, and gives again what the stand-in forgot when it was polled. */
  private void readAgain() {
    clock.advance(Duration.ofSeconds(8));
    for (long offset = consumer.position(ZERO); offset <= 9; offset++) {
      consumer.addRecord(Records.event("orders", 0, offset));
    }
    loop.step();
  }

  @Test
  void otherPartitionsGoOnWhileOneIsHeld() {
    bad.add("0");
    add(ZERO, 0, 0);
    loop.step();
    assertThat(consumer.paused()).containsExactly(ZERO);
    add(ONE, 1, 3);
    consumer.seek(ONE, 1);
    loop.step();
    assertThat(effects).containsExactly("1", "2", "3");
    assertThat(committed(ONE)).isEqualTo(4);
    assertThat(committed(ZERO)).isZero();
  }

  @Test
  void heldPartitionIsNotPolledBeforeItsTime() {
    bad.add("0");
    add(ZERO, 0, 0);
    loop.step();
    loop.step();
    assertThat(consumer.paused()).containsExactly(ZERO);
    clock.advance(Duration.ofSeconds(1));
    loop.step();
    assertThat(consumer.paused()).isEmpty();
    assertThat(consumer.position(ZERO)).isZero();
  }

  @Test
  void whatAHandlerDidOfABatchIsNotReceivedAgain() {
    ReceiverLoop partial =
        loop(
            batch -> {
              batch.subList(0, 3).forEach(received -> effects.add(received.id()));
              throw new ReceiveFailedException(3, batch.get(3), new IllegalStateException("down"));
            });
    add(ZERO, 0, 9);
    partial.step();
    assertThat(effects).containsExactly("0", "1", "2");
    assertThat(committed(ZERO)).isEqualTo(3);
    assertThat(consumer.position(ZERO)).isEqualTo(3);
  }

  @Test
  void recordThatIsNoCloudEventStopsItsPartitionBehindWhatIsGood() {
    add(ZERO, 0, 1);
    consumer.addRecord(Records.foreign("orders", 0, 2));
    add(ZERO, 3, 3);
    loop.step();
    assertThat(effects).containsExactly("0", "1");
    assertThat(committed(ZERO)).isEqualTo(2);
    assertThat(consumer.paused()).containsExactly(ZERO);
  }

  @Test
  void errorOfAHandlerIsAFailureAndNotTheEnd() {
    ReceiverLoop broken =
        loop(
            batch -> {
              throw new NoClassDefFoundError("gone");
            });
    add(ZERO, 0, 0);
    broken.step();
    assertThat(consumer.paused()).containsExactly(ZERO);
    assertThat(committed(ZERO)).isZero();
  }

  @Test
  void interruptOfAHandlerIsForItsBatchAlone() {
    boolean[] thrown = {false};
    ReceiverLoop interrupted =
        loop(
            batch -> {
              Thread.currentThread().interrupt();
              if (!thrown[0]) {
                thrown[0] = true;
                throw new InterruptedException("by somebody");
              }
              receiver.receive(batch);
            });
    add(ZERO, 0, 0);
    interrupted.step();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(consumer.paused()).containsExactly(ZERO);
    clock.advance(Duration.ofSeconds(8));
    add(ZERO, 0, 0);
    interrupted.step();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(effects).containsExactly("0");
  }

  @Test
  void whatWasGatheredOfARevokedPartitionIsNotHandedOn() {
    add(ZERO, 0, 2);
    add(ONE, 0, 2);
    consumer.onFollowingPoll =
        () -> {
          loop.onPartitionsRevoked(List.of(ONE));
          throw new KafkaException("of the second poll");
        };
    assertThatThrownBy(loop::step).hasMessage("of the second poll");
    assertThat(effects).isEmpty();
    loop.step();
    assertThat(effects).containsExactly("0", "1", "2");
    assertThat(committed(ZERO)).isEqualTo(3);
    assertThat(committed(ONE)).isZero();
  }

  @Test
  void failedCommitIsMadeGoodByTheNext() {
    add(ZERO, 0, 0);
    consumer.commitFailure = new CommitFailedException();
    loop.step();
    consumer.commitFailure = null;
    assertThat(effects).containsExactly("0");
    assertThat(committed(ZERO)).isZero();
    loop.step();
    assertThat(committed(ZERO)).isEqualTo(1);
  }

  @Test
  void revokedPartitionsAreCommittedAndLostOnesAreNot() {
    add(ZERO, 0, 0);
    add(ONE, 0, 0);
    consumer.commitFailure = new CommitFailedException();
    loop.step();
    consumer.commitFailure = null;
    loop.onPartitionsLost(List.of(ONE));
    loop.onPartitionsRevoked(List.of(ZERO));
    assertThat(committed(ZERO)).isEqualTo(1);
    assertThat(committed(ONE)).isZero();
  }

  @Test
  void recordsThatTheBrokerRemovedAreNotSkippedInSilenceAndReceivingGoesOn() {
    consumer.updateBeginningOffsets(Map.of(ZERO, 5L, ONE, 0L));
    consumer.seek(ZERO, 0);
    add(ZERO, 5, 6);
    for (int i = 0; i < 3; i++) {
      loop.step();
    }
    assertThat(effects).containsExactly("5", "6");
    assertThat(committed(ZERO)).isEqualTo(7);
  }

  @Test
  void stopEndsBetweenBatchesAndTheRestIsNotCommitted() {
    ReceiverLoop[] stopped = new ReceiverLoop[1];
    stopped[0] =
        loop(
            batch -> {
              batch.forEach(received -> effects.add(received.id()));
              stopped[0].stop();
            });
    add(ZERO, 0, 2);
    add(ONE, 0, 2);
    stopped[0].step();
    stopped[0].close();
    assertThat(effects).hasSize(3);
    assertThat(consumer.closed()).isTrue();
  }
}
