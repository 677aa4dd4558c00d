// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.kafka.SteppedIntake.ONE;
import static io.outledger.kafka.SteppedIntake.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an intake makes of partitions whose next record cannot be decoded here. */
final class StuckRecordsTest {

  private static final Duration SEARCH_MAX = Duration.ofSeconds(10);

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
    assertThat(consumer.paused()).containsExactly(ZERO);
    intake.add(ONE, 0, 1);
    loop.step();
    assertThat(intake.effects).containsExactly("0", "1");

    intake.clock.advance(Duration.ofSeconds(8));
    loop.step();
    assertThat(scouted.polled).containsExactly(ZERO, ZERO);
    assertThat(consumer.paused()).containsExactly(ZERO);

    scouted.tooLarge.clear();
    intake.clock.advance(Duration.ofSeconds(8));
    loop.step();
    assertThat(consumer.paused()).isEmpty();
  }

  @Test
  void recordThatAnotherMemberHasPassedIsForgotten() {
    makeStuck(ZERO);
    loop.onPartitionsAssigned(List.of(ZERO));
    consumer.seek(ZERO, 5);
    intake.clock.advance(Duration.ofSeconds(8));
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
