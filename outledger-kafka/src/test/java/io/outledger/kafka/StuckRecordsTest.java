// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.kafka.SteppedIntake.ONE;
import static io.outledger.kafka.SteppedIntake.ZERO;
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

/** What an intake makes of partitions whose next record cannot be decoded here. */
final class StuckRecordsTest {

  private static final Duration SEARCH_MAX = Duration.ofSeconds(10);
  private static final Duration BACKOFF_MAX = Duration.ofSeconds(8);

  private final SteppedIntake intake = new SteppedIntake();
  private final FailingConsumer consumer = intake.consumer;
  private final ScoutedRecords scouted = intake.scouted;
  private final IntakeLoop loop = intake.loop(intake::receive, "orders");

  @BeforeEach
  void assign() {
    loop.subscribe();
    intake.assign(ZERO, ONE);
  }

  private void makeStuck(TopicPartition partition) {
    scouted.ends.put(partition, 1L);
    scouted.tooLarge.add(partition);
    loop.findStuck();
    assertThat(intake.stuck.isStuck(partition)).isTrue();
  }

  @Test
  void partitionWhoseNextRecordCannotBeDecodedWaitsAndIsLookedAtAgain() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO, ONE));
    oneIsReceivedWhileZeroWaits();
    intake.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(scouted.polled).containsExactly(ZERO, ZERO);
    assertThat(consumer.paused()).containsExactly(ZERO);

    makeReadable(ZERO);
    intake.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(consumer.paused()).isEmpty();
    assertThat(intake.stuck.isStuck(ZERO)).isFalse();
  }

  private void oneIsReceivedWhileZeroWaits() {
    assertThat(consumer.paused()).containsExactly(ZERO);
    intake.add(ONE, 0, 1);
    loop.step();
    assertThat(intake.effects).containsExactly("0", "1");
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
    intake.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(scouted.polled).contains(ZERO).hasSizeGreaterThan(1);
    assertThat(intake.stuck.isStuck(ZERO)).isTrue();
    assertThat(consumer.paused()).containsExactly(ZERO);
  }

  @Test
  void partitionOfWhichNobodyKnowsWaitsOnceAfterADecodingFailure() {
    scouted.ends.put(ZERO, 1L);
    loop.findStuck();
    int polls = scouted.polled.size();
    loop.onPartitionsAssigned(List.of(ZERO, ONE));
    oneIsReceivedWhileZeroWaits();
    intake.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(consumer.paused()).isEmpty();
    assertThat(scouted.polled).hasSize(polls);
  }

  @Test
  void partitionThatIsSuspectAgainAndAgainWaitsLongerUntilARecordTakesEffect() {
    scouted.ends.put(ZERO, 1L);
    loop.findStuck();
    loop.findStuck();
    assertThat(intake.stuck.failures(ZERO)).isEqualTo(2);
    intake.add(ZERO, 0, 0);
    loop.step();
    assertThat(intake.stuck.isSuspect(ZERO)).isFalse();
  }

  @Test
  void recordThatTheBrokerHasRemovedIsForgotten() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO));
    scouted.onPoll =
        () -> {
          throw new OffsetOutOfRangeException(Map.of(ZERO, 0L));
        };
    intake.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(intake.stuck.isStuck(ZERO)).isFalse();
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
    intake.add(ONE, 0, 1);
    intake.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(intake.effects).containsExactly("0", "1");
    assertThat(intake.stuck.isStuck(ZERO)).isTrue();
    assertThat(consumer.paused()).containsExactly(ZERO);
  }

  @Test
  void othersGoOnWhereThePositionCannotBeAsked() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO, ONE));
    consumer.positionFailure = new GroupAuthorizationException("planted");
    intake.add(ONE, 0, 1);
    intake.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(intake.effects).containsExactly("0", "1");
    assertThat(consumer.paused()).containsExactly(ZERO);
  }

  @Test
  void partitionThatWasStuckIsHandedOnInWholeBatches() {
    List<Integer> sizes = new ArrayList<>();
    IntakeLoop counting = intake.loop(batch -> sizes.add(batch.size()), "orders");
    makeStuck(ZERO);
    counting.onPartitionsAssigned(List.of(ZERO));
    makeReadable(ZERO);
    intake.clock.advance(BACKOFF_MAX);
    intake.add(ZERO, 0, 9);
    counting.step();
    assertThat(sizes).containsExactly(10);
  }

  @Test
  void recordThatAnotherMemberHasPassedIsForgotten() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO));
    consumer.seek(ZERO, 5);
    intake.clock.advance(BACKOFF_MAX);
    loop.step();
    assertThat(consumer.paused()).isEmpty();
    assertThat(intake.stuck.isStuck(ZERO)).isFalse();
    assertThat(scouted.polled).containsExactly(ZERO);
  }

  @Test
  void everyPartitionThatIsStuckIsFound() {
    scouted.ends.put(ONE, 1L);
    scouted.tooLarge.add(ONE);
    makeStuck(ZERO);
    assertThat(intake.stuck.isStuck(ONE)).isTrue();
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
    long started = intake.clock.nanoTime();
    loop.findStuck();
    assertThat(Duration.ofNanos(intake.clock.nanoTime() - started))
        .isLessThan(SEARCH_MAX.plusSeconds(1));
  }

  @Test
  void searchEndsWhereTheIntakeIsToStop() {
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
    intake.assign(many.toArray(new TopicPartition[0]));
    return many;
  }
}
