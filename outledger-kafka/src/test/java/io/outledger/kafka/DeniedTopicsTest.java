// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.kafka.SteppedIntake.ONE;
import static io.outledger.kafka.SteppedIntake.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;

/** What an intake makes of topics and groups that it may not use any more. */
final class DeniedTopicsTest {

  private static final TopicPartition PUBLIC = new TopicPartition("public", 0);
  private static final Duration AGAIN = Duration.ofSeconds(15);

  private final SteppedIntake intake = new SteppedIntake();
  private final FailingConsumer consumer = intake.consumer;
  private final IntakeLoop loop = intake.loop(intake::receive, "orders", "public");

  private void assign() {
    loop.subscribe();
    intake.assign(ZERO, PUBLIC);
  }

  @Test
  void deniedTopicIsLeftOutForAWhileAndTheOthersGoOn() {
    SubscribedTopics topics = new SubscribedTopics(List.of("a", "b"));
    assertThat(topics.denied(Set.of("a"), 0)).isTrue();
    assertThat(topics.denied(Set.of("a"), 0)).isFalse();
    assertThat(topics.current()).containsExactly("b");
    assertThat(topics.takeDue(AGAIN.toNanos() - 1)).isFalse();
    assertThat(topics.takeDue(AGAIN.toNanos())).isTrue();
    assertThat(topics.current()).containsExactly("a", "b");
  }

  @Test
  void denialOfTheOnlyTopicIsPassedOn() {
    IntakeLoop one = intake.loop(intake::receive, "orders");
    one.subscribe();
    intake.assign(ZERO);
    consumer.setPollException(new TopicAuthorizationException(Set.of("orders")));
    assertThatThrownBy(one::step).isInstanceOf(TopicAuthorizationException.class);
  }

  @Test
  void deniedTopicIsFoundWhereKafkaDoesNotNameIt() {
    consumer.denied.add("orders");
    loop.subscribe();
    consumer.setPollException(new TopicAuthorizationException(Set.of()));
    loop.step();
    assertThat(consumer.subscription()).containsExactly("public");
    intake.clock.advance(AGAIN);
    consumer.denied.clear();
    loop.step();
    assertThat(consumer.subscription()).containsExactlyInAnyOrder("orders", "public");
  }

  @Test
  void offsetsOfATopicThatIsDeniedMeanwhileAreDroppedAndTheOthersCommitted() {
    assign();
    intake.add(ZERO, 0, 1);
    intake.add(PUBLIC, 0, 2);
    consumer.denied.add("orders");
    loop.step();
    assertThat(intake.committed(PUBLIC)).isEqualTo(3);
    assertThat(intake.committed(ZERO)).isZero();
    assertThat(consumer.subscription()).containsExactly("public");

    intake.add(PUBLIC, 3, 3);
    loop.step();
    assertThat(intake.committed(PUBLIC)).isEqualTo(4);
  }

  @Test
  void topicThatIsDeniedBeforeItsStartIsKnownIsLeftOut() {
    loop.subscribe();
    consumer.updateBeginningOffsets(Map.of(ZERO, 0L, PUBLIC, 0L));
    consumer.rebalance(List.of(ZERO, PUBLIC));
    consumer.denied.add("orders");
    loop.step();
    loop.step(); // the stand-in asks for one start at a time
    assertThat(consumer.subscription()).containsExactly("public");
  }

  @Test
  void othersGoOnWhereTheTopicOfAStuckRecordIsDenied() {
    assign();
    intake.scouted.ends.put(ZERO, 1L);
    intake.scouted.tooLarge.add(ZERO);
    loop.findStuck();
    loop.onPartitionsAssigned(List.of(ZERO, PUBLIC));
    consumer.denied.add("orders");
    intake.add(PUBLIC, 0, 2);
    intake.clock.advance(Duration.ofSeconds(8));
    loop.step();
    assertThat(intake.committed(PUBLIC)).isEqualTo(3);
    assertThat(consumer.subscription()).containsExactly("public");

    int polls = intake.scouted.polled.size();
    intake.clock.advance(Duration.ofSeconds(8));
    loop.step();
    assertThat(intake.scouted.polled).hasSize(polls);
    assertThat(consumer.paused()).containsExactly(ZERO);
  }

  @Test
  void topicThatIsTriedAgainIsReadAlsoWhereTheStepIsInterrupted() {
    assign();
    consumer.denied.add("orders");
    consumer.setPollException(new TopicAuthorizationException(Set.of("orders")));
    loop.step();
    consumer.denied.clear();
    intake.scouted.ends.put(PUBLIC, 1L);
    intake.scouted.tooLarge.add(PUBLIC);
    loop.findStuck();
    loop.onPartitionsAssigned(List.of(PUBLIC));
    assertThat(consumer.paused()).containsExactlyInAnyOrder(ZERO, PUBLIC);

    intake.scouted.onPoll =
        () -> {
          throw new InterruptException("planted");
        };
    intake.clock.advance(AGAIN);
    assertThatThrownBy(loop::step).isInstanceOf(InterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    loop.step();
    assertThat(consumer.paused()).containsExactly(PUBLIC);
  }

  @Test
  void denialOfTheGroupKeepsTheOffsetsAndIsPassedOn() {
    assign();
    intake.add(ZERO, 0, 1);
    consumer.commitFailure = new GroupAuthorizationException("group");
    assertThatThrownBy(loop::step).isInstanceOf(GroupAuthorizationException.class);
    consumer.commitFailure = null;
    loop.step();
    assertThat(intake.committed(ZERO)).isEqualTo(2);
  }

  @Test
  void partitionsAreGivenAwayAlsoWhereTheirOffsetsCannotBeCommitted() {
    loop.subscribe();
    intake.assign(ZERO, ONE);
    intake.add(ZERO, 0, 1);
    consumer.commitFailure = new GroupAuthorizationException("group");
    assertThatThrownBy(loop::step).isInstanceOf(GroupAuthorizationException.class);
    loop.onPartitionsRevoked(List.of(ZERO));
    consumer.commitFailure = null;
    loop.step();
    assertThat(intake.committed(ZERO)).isZero();
  }

  @Test
  void offsetsOfWhatIsGivenAwayAreCommittedAlsoWhereStoppingWakesTheConsumer() {
    assign();
    intake.add(ZERO, 0, 1);
    consumer.commitFailure = new WakeupException();
    assertThatThrownBy(loop::step).isInstanceOf(WakeupException.class);
    consumer.commitFailsOnce = true;
    assertThatThrownBy(() -> loop.onPartitionsRevoked(List.of(ZERO)))
        .isInstanceOf(WakeupException.class);
    assertThat(intake.committed(ZERO)).isEqualTo(2);
  }

  @Test
  void partitionWhoseHoldEndsWhileItsTopicIsDeniedGoesOnAfterwards() {
    IntakeLoop one = intake.loop(intake::receive, "orders");
    one.subscribe();
    intake.assign(ZERO);
    intake.bad.add("0");
    intake.add(ZERO, 0, 0);
    one.step();
    assertThat(consumer.paused()).containsExactly(ZERO);
    consumer.setPollException(new TopicAuthorizationException(Set.of("orders")));
    assertThatThrownBy(one::step).isInstanceOf(TopicAuthorizationException.class);
    intake.clock.advance(Duration.ofSeconds(8));
    one.step();
    intake.clock.advance(AGAIN);
    one.step();
    assertThat(consumer.paused()).isEmpty();
  }
}
