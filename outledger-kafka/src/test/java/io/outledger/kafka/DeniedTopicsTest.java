// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.kafka.SteppedReceiver.ONE;
import static io.outledger.kafka.SteppedReceiver.ZERO;
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

/** What a receiver makes of topics and groups that it may not use any more. */
final class DeniedTopicsTest {

  private static final TopicPartition PUBLIC = new TopicPartition("public", 0);
  private static final Duration AGAIN = Duration.ofSeconds(15);

  private final SteppedReceiver receiver = new SteppedReceiver();
  private final FailingConsumer consumer = receiver.consumer;
  private final ReceiverLoop loop = receiver.loop(receiver::receive, "orders", "public");

  private void assign() {
    loop.subscribe();
    receiver.assign(ZERO, PUBLIC);
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
    ReceiverLoop one = receiver.loop(receiver::receive, "orders");
    one.subscribe();
    receiver.assign(ZERO);
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
    receiver.clock.advance(AGAIN);
    consumer.denied.clear();
    loop.step();
    assertThat(consumer.subscription()).containsExactlyInAnyOrder("orders", "public");
  }

  @Test
  void offsetsOfATopicThatIsDeniedMeanwhileAreDroppedAndTheOthersCommitted() {
    assign();
    receiver.add(ZERO, 0, 1);
    receiver.add(PUBLIC, 0, 2);
    consumer.denied.add("orders");
    loop.step();
    assertThat(receiver.committed(PUBLIC)).isEqualTo(3);
    assertThat(receiver.committed(ZERO)).isZero();
    assertThat(consumer.subscription()).containsExactly("public");

    receiver.add(PUBLIC, 3, 3);
    loop.step();
    assertThat(receiver.committed(PUBLIC)).isEqualTo(4);
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
    receiver.scouted.ends.put(ZERO, 1L);
    receiver.scouted.tooLarge.add(ZERO);
    loop.findStuck();
    loop.onPartitionsAssigned(List.of(ZERO, PUBLIC));
    consumer.denied.add("orders");
    receiver.add(PUBLIC, 0, 2);
    receiver.clock.advance(Duration.ofSeconds(8));
    loop.step();
    assertThat(receiver.committed(PUBLIC)).isEqualTo(3);
    assertThat(consumer.subscription()).containsExactly("public");

    int polls = receiver.scouted.polled.size();
    receiver.clock.advance(Duration.ofSeconds(8));
    loop.step();
    assertThat(receiver.scouted.polled).hasSize(polls);
    assertThat(consumer.paused()).containsExactly(ZERO);
  }

  @Test
  void topicThatIsTriedAgainIsReadAlsoWhereTheStepIsInterrupted() {
    assign();
    consumer.denied.add("orders");
    consumer.setPollException(new TopicAuthorizationException(Set.of("orders")));
    loop.step();
    consumer.denied.clear();
    receiver.scouted.ends.put(PUBLIC, 1L);
    receiver.scouted.tooLarge.add(PUBLIC);
    loop.findStuck();
    loop.onPartitionsAssigned(List.of(PUBLIC));
    assertThat(consumer.paused()).containsExactlyInAnyOrder(ZERO, PUBLIC);

    receiver.scouted.onPoll =
        () -> {
          throw new InterruptException("planted");
        };
    receiver.clock.advance(AGAIN);
    assertThatThrownBy(loop::step).isInstanceOf(InterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    loop.step();
    assertThat(consumer.paused()).containsExactly(PUBLIC);
  }

  @Test
  void denialOfTheGroupKeepsTheOffsetsAndIsPassedOn() {
    assign();
    receiver.add(ZERO, 0, 1);
    consumer.commitFailure = new GroupAuthorizationException("group");
    assertThatThrownBy(loop::step).isInstanceOf(GroupAuthorizationException.class);
    consumer.commitFailure = null;
    loop.step();
    assertThat(receiver.committed(ZERO)).isEqualTo(2);
  }

  @Test
  void partitionsAreGivenAwayAlsoWhereTheirOffsetsCannotBeCommitted() {
    loop.subscribe();
    receiver.assign(ZERO, ONE);
    receiver.add(ZERO, 0, 1);
    consumer.commitFailure = new GroupAuthorizationException("group");
    assertThatThrownBy(loop::step).isInstanceOf(GroupAuthorizationException.class);
    loop.onPartitionsRevoked(List.of(ZERO));
    consumer.commitFailure = null;
    loop.step();
    assertThat(receiver.committed(ZERO)).isZero();
  }

  @Test
  void offsetsOfWhatIsGivenAwayAreCommittedAlsoWhereStoppingWakesTheConsumer() {
    assign();
    receiver.add(ZERO, 0, 1);
    consumer.commitFailure = new WakeupException();
    assertThatThrownBy(loop::step).isInstanceOf(WakeupException.class);
    consumer.commitFailsOnce = true;
    assertThatThrownBy(() -> loop.onPartitionsRevoked(List.of(ZERO)))
        .isInstanceOf(WakeupException.class);
    assertThat(receiver.committed(ZERO)).isEqualTo(2);
  }

  @Test
  void partitionWhoseHoldEndsWhileItsTopicIsDeniedGoesOnAfterwards() {
    ReceiverLoop one = receiver.loop(receiver::receive, "orders");
    one.subscribe();
    receiver.assign(ZERO);
    receiver.bad.add("0");
    receiver.add(ZERO, 0, 0);
    one.step();
    assertThat(consumer.paused()).containsExactly(ZERO);
    consumer.setPollException(new TopicAuthorizationException(Set.of("orders")));
    assertThatThrownBy(one::step).isInstanceOf(TopicAuthorizationException.class);
    receiver.clock.advance(Duration.ofSeconds(8));
    one.step();
    receiver.clock.advance(AGAIN);
    one.step();
    assertThat(consumer.paused()).isEmpty();
  }
}
