// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.kafka.SteppedReceiver.ONE;
import static io.outledger.kafka.SteppedReceiver.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.publish.DestinationUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a receiver makes of partitions whose next record cannot be decoded here. */
final class StuckRecordsTest {

  private static final Duration SEARCH_MAX = Duration.ofSeconds(10);
  private static final Duration BACKOFF_MAX = Duration.ofSeconds(8);

  private final SteppedReceiver receiver = new SteppedReceiver();
  private final FailingConsumer consumer = receiver.consumer;
  private final ScoutedRecords scouted = receiver.scouted;
  private final ReceiverLoop loop = receiver.loop(receiver::receive, "orders");

  @BeforeEach
  void assign() {
    loop.subscribe();
    receiver.assign(ZERO, ONE);
  }

  private void makeStuck(TopicPartition partition) {
    scouted.ends.put(partition, 1L);
    scouted.tooLarge.add(partition);
    loop.findStuck();
    assertThat(receiver.stuck.isStuck(partition)).isTrue();
  }

  @Test
  void partitionWhoseNextRecordCannotBeDecodedWaitsAndIsLookedAtAgain() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO, ONE));
    oneIsReceivedWhileZeroWaits();
    receiver.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(scouted.polled).containsExactly(ZERO, ZERO);
    assertThat(consumer.paused()).containsExactly(ZERO);

    makeReadable(ZERO);
    receiver.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(consumer.paused()).isEmpty();
    assertThat(receiver.stuck.isStuck(ZERO)).isFalse();
  }

  private void oneIsReceivedWhileZeroWaits() {
    assertThat(consumer.paused()).containsExactly(ZERO);
    receiver.add(ONE, 0, 1);
    loop.step();
    assertThat(receiver.effects).containsExactly("0", "1");
  }

  private void makeReadable(TopicPartition partition) {
    scouted.tooLarge.remove(partition);
    scouted.readable.add(partition);
  }

  @Test
  void stuckRecordIsForgottenOnlyOnceItCanBeDecoded() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO));
    scouted.tooLarge.clear(); // so that no poll returns anything
    receiver.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(scouted.polled).contains(ZERO).hasSizeGreaterThan(1);
    assertThat(receiver.stuck.isStuck(ZERO)).isTrue();
    assertThat(consumer.paused()).containsExactly(ZERO);
  }

  @Test
  void partitionOfWhichNobodyKnowsWaitsOnceAfterADecodingFailure() {
    scouted.ends.put(ZERO, 1L);
    loop.findStuck();
    int polls = scouted.polled.size();
    loop.onPartitionsAssigned(List.of(ZERO, ONE));
    oneIsReceivedWhileZeroWaits();
    receiver.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(consumer.paused()).isEmpty();
    assertThat(scouted.polled).hasSize(polls);
  }

  @Test
  void partitionThatIsSuspectAgainAndAgainWaitsLongerUntilARecordTakesEffect() {
    scouted.ends.put(ZERO, 1L);
    loop.findStuck();
    loop.findStuck();
    assertThat(receiver.stuck.failures(ZERO)).isEqualTo(2);
    receiver.add(ZERO, 0, 0);
    loop.step();
    assertThat(receiver.stuck.isSuspect(ZERO)).isFalse();
  }

  /** A group that is often rebalanced does not wait any longer for that. */
  @Test
  void assignmentIsNoFailure() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO));
    loop.onPartitionsAssigned(List.of(ZERO));
    assertThat(receiver.stuck.failures(ZERO)).isEqualTo(1);
  }

  @Test
  void recordThatTheBrokerHasRemovedIsForgotten() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO));
    scouted.onPoll =
        () -> {
          throw new OffsetOutOfRangeException(Map.of(ZERO, 0L));
        };
    receiver.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(receiver.stuck.isStuck(ZERO)).isFalse();
    assertThat(consumer.paused()).isEmpty();
  }

  @Test
  void everyPartitionThatTheSearchDoesNotReachWaits() {
    List<TopicPartition> many = assignMany();
    many.forEach(partition -> scouted.ends.put(partition, 1L));
    loop.findStuck();
    loop.onPartitionsAssigned(many);
    assertThat(consumer.paused()).hasSameElementsAs(many);
  }

  @Test
  void everyPartitionWaitsAfterASearchThatIsInterrupted() {
    scouted.ends.put(ZERO, 1L);
    scouted.onPoll =
        () -> {
          throw new InterruptException("planted");
        };
    assertThatThrownBy(loop::findStuck).isInstanceOf(InterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    loop.onPartitionsAssigned(List.of(ZERO, ONE));
    assertThat(consumer.paused()).contains(ZERO);
  }

  @Test
  void everyPartitionWaitsWhosePositionNobodyKnows() {
    consumer.endsUnknown = true;
    loop.findStuck();
    loop.onPartitionsAssigned(List.of(ZERO, ONE));
    assertThat(consumer.paused()).containsExactlyInAnyOrder(ZERO, ONE);
  }

  @Test
  void othersGoOnWhereNoScoutCanBeMade() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO, ONE));
    scouted.consumerFailure = new DestinationUnavailableException("planted", null);
    receiver.add(ONE, 0, 1);
    receiver.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(receiver.effects).containsExactly("0", "1");
    assertThat(receiver.stuck.isStuck(ZERO)).isTrue();
    assertThat(consumer.paused()).containsExactly(ZERO);
  }

  @Test
  void othersGoOnWhereThePositionCannotBeAsked() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO, ONE));
    consumer.positionFailure = new GroupAuthorizationException("planted");
    receiver.add(ONE, 0, 1);
    receiver.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(receiver.effects).containsExactly("0", "1");
    assertThat(consumer.paused()).containsExactly(ZERO);
  }

  @Test
  void partitionThatWasStuckIsHandedOnInWholeBatches() {
    List<Integer> sizes = new ArrayList<>();
    ReceiverLoop counting = receiver.loop(batch -> sizes.add(batch.size()), "orders");
    makeStuck(ZERO);
    counting.onPartitionsAssigned(List.of(ZERO));
    makeReadable(ZERO);
    receiver.clock.advance(BACKOFF_MAX);
    receiver.add(ZERO, 0, 9);
    counting.step();
    assertThat(sizes).containsExactly(10);
  }

  @Test
  void recordThatAnotherMemberHasPassedIsForgotten() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO));
    consumer.seek(ZERO, 5);
    receiver.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(consumer.paused()).isEmpty();
    assertThat(receiver.stuck.isStuck(ZERO)).isFalse();
    assertThat(scouted.polled).containsExactly(ZERO);
  }

  @Test
  void everyPartitionThatIsStuckIsFound() {
    scouted.ends.put(ONE, 1L);
    scouted.tooLarge.add(ONE);
    makeStuck(ZERO);
    assertThat(receiver.stuck.isStuck(ONE)).isTrue();
  }

  @Test
  void partitionsWithoutANextRecordAreNotLookedAt() {
    assignMany();
    makeStuck(ZERO);
    assertThat(scouted.polled).containsExactly(ZERO);
  }

  @Test
  void searchEndsInTimeWhereNobodyAnswers() {
    for (TopicPartition partition : assignMany()) {
      scouted.ends.put(partition, 1L);
    }
    long started = receiver.clock.nanoTime();
    loop.findStuck();
    assertThat(Duration.ofNanos(receiver.clock.nanoTime() - started))
        .isLessThan(SEARCH_MAX.plusSeconds(1));
  }

  @Test
  void searchEndsWhereTheReceiverIsToStop() {
    for (TopicPartition partition : assignMany()) {
      scouted.ends.put(partition, 1L);
    }
    scouted.onPoll = loop::stop;
    loop.findStuck();
    assertThat(scouted.polled).hasSize(1);
  }

  private List<TopicPartition> assignMany() {
    List<TopicPartition> many =
        IntStream.range(0, 60).mapToObj(number -> new TopicPartition("orders", number)).toList();
    receiver.assign(many.toArray(new TopicPartition[0]));
    return many;
  }
}
