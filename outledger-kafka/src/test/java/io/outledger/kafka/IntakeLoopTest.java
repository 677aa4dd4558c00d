// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.inbox.Receiver;
import io.outledger.relay.Backoff;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drives the loop one step at a time over Kafka's own stand-in for its consumer. */
final class IntakeLoopTest {

  private static final TopicPartition ZERO = new TopicPartition("orders", 0);
  private static final TopicPartition ONE = new TopicPartition("orders", 1);

  private final FailingConsumer consumer = new FailingConsumer();
  private final FailingConsumer scouting = new FailingConsumer();

  /** Kafka's stand-in, whose commits fail on demand. */
  private static final class FailingConsumer extends MockConsumer<byte[], byte[]> {

    private boolean commitsFail;
    private @Nullable Runnable onFollowingPoll;
    private @Nullable String denied;

    FailingConsumer() {
      super("none");
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
      Runnable following = records.isEmpty() ? onFollowingPoll : null;
      if (following != null) {
        onFollowingPoll = null;
        following.run();
      }
      return records;
    }

    @Override
    public synchronized List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
      if (topic.equals(denied)) {
        throw new TopicAuthorizationException(Set.of(topic));
      }
      return List.of();
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
      if (commitsFail) {
        throw new CommitFailedException();
      }
      super.commitSync(offsets, timeout);
    }
  }

  private final SettableClock clock = new SettableClock();
  private final List<String> effects = new ArrayList<>();
  private final Set<String> bad = new HashSet<>();
  private final IntakeLoop loop = loop(this::receive);

  private IntakeLoop loop(Receiver receiver) {
    return loop(receiver, "orders");
  }

  private IntakeLoop loop(Receiver receiver, String... topics) {
    return new IntakeLoop(
        consumer,
        new Handover<>(
            receiver,
            unreadable -> {
              throw new IllegalStateException(unreadable.problem());
            }),
        new IntakeRules(
            new CloudEventReader(IntakeChoices.DEFAULT),
            new IntakeStart(List.of(topics), false, 500),
            "group",
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8)),
            clock,
            new SplittableRandom(1)),
        new StuckRecords(new RecordScout(() -> scouting)));
  }

  /** Takes effect all or nothing, as one transaction does. */
  private void receive(List<Received> batch) {
    for (Received received : batch) {
      if (bad.contains(received.id())) {
        throw new IllegalArgumentException("bad " + received.id());
      }
    }
    batch.forEach(received -> effects.add(received.id()));
  }

  @BeforeEach
  void assign() {
    consumer.updateBeginningOffsets(Map.of(ZERO, 0L, ONE, 0L));
    consumer.updateEndOffsets(Map.of(ZERO, 0L, ONE, 0L));
    loop.subscribe();
    consumer.rebalance(List.of(ZERO, ONE));
    consumer.seekToBeginning(List.of(ZERO, ONE));
  }

  private void add(TopicPartition partition, long first, long last) {
    for (long offset = first; offset <= last; offset++) {
      consumer.addRecord(Records.event(partition.topic(), partition.partition(), offset));
    }
  }

  private long committed(TopicPartition partition) {
    OffsetAndMetadata offset = consumer.committed(Set.of(partition)).get(partition);
    return offset == null ? 0 : offset.offset();
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
  void whatAReceiverDidOfABatchIsNotReceivedAgain() {
    IntakeLoop partial =
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
    IntakeLoop broken =
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
    IntakeLoop interrupted =
        loop(
            batch -> {
              Thread.currentThread().interrupt();
              if (!thrown[0]) {
                thrown[0] = true;
                throw new InterruptedException("by somebody");
              }
              receive(batch);
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
  void deniedTopicIsLeftOutForAWhileAndTheOthersGoOn() {
    add(ZERO, 0, 0);
    consumer.setPollException(new TopicAuthorizationException(Set.of("orders")));
    assertThatThrownBy(loop::step).isInstanceOf(TopicAuthorizationException.class);
    SubscribedTopics topics = new SubscribedTopics(List.of("a", "b"));
    assertThat(topics.denied(Set.of("a"), 0)).isTrue();
    assertThat(topics.denied(Set.of("a"), 0)).isFalse();
    assertThat(topics.current()).containsExactly("b");
    assertThat(topics.takeDue(Duration.ofSeconds(14).toNanos())).isFalse();
    assertThat(topics.takeDue(Duration.ofSeconds(15).toNanos())).isTrue();
    assertThat(topics.current()).containsExactly("a", "b");
  }

  @Test
  void deniedTopicIsFoundWhereKafkaDoesNotNameIt() {
    consumer.denied = "orders";
    IntakeLoop both = loop(this::receive, "orders", "public");
    both.subscribe();
    consumer.setPollException(new TopicAuthorizationException(Set.of()));
    both.step();
    assertThat(consumer.subscription()).containsExactly("public");
    clock.advance(Duration.ofSeconds(15));
    consumer.denied = null;
    both.step();
    assertThat(consumer.subscription()).containsExactlyInAnyOrder("orders", "public");
  }

  @Test
  void partitionWhoseNextRecordCannotBeDecodedWaitsAndIsLookedAtAgain() {
    scouting.updateBeginningOffsets(Map.of(ZERO, 0L, ONE, 0L));
    scouting.onFollowingPoll =
        () -> {
          throw new OutOfMemoryError("planted");
        };
    consumer.pause(List.of(ONE));
    loop.findStuck();
    consumer.resume(List.of(ONE));
    loop.onPartitionsAssigned(List.of(ZERO, ONE));
    assertThat(consumer.paused()).containsExactly(ZERO);
    add(ONE, 0, 1);
    loop.step();
    assertThat(effects).containsExactly("0", "1");
  }

  @Test
  void failedCommitIsMadeGoodByTheNext() {
    add(ZERO, 0, 0);
    consumer.commitsFail = true;
    loop.step();
    consumer.commitsFail = false;
    assertThat(effects).containsExactly("0");
    assertThat(committed(ZERO)).isZero();
    loop.step();
    assertThat(committed(ZERO)).isEqualTo(1);
  }

  @Test
  void revokedPartitionsAreCommittedAndLostOnesAreNot() {
    add(ZERO, 0, 0);
    add(ONE, 0, 0);
    consumer.commitsFail = true;
    loop.step();
    consumer.commitsFail = false;
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
    IntakeLoop[] stopped = new IntakeLoop[1];
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
