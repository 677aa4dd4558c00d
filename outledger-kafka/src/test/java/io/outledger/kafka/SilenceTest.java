// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static io.outledger.kafka.SteppedReceiver.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.receive.ReceiverEvent;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where nothing comes, the log says why within seconds, and calmly. */
final class SilenceTest {

  private static final String AWAY = "no answer from Kafka at broker:9092; check bootstrap.servers";
  private static final String MISSING = "topic orders does not exist; create it";

  private final SteppedReceiver receiver = new SteppedReceiver();
  private final ReceiverLoop loop = receiver.loop(receiver::receive, "orders");

  @BeforeEach
  void start() {
    loop.subscribe();
    receiver.assign(ZERO);
    CapturedLog.start();
  }

  @AfterEach
  void stop() {
    CapturedLog.stop();
  }

  private void letPass(Duration time) {
    letPass(loop, time);
  }

  @Test
  void brokerThatDoesNotAnswerIsTold() {
    receiver.consumer.isAway = true;
    letPass(Duration.ofSeconds(4));
    assertThat(CapturedLog.has(AWAY)).isFalse();
    letPass(Duration.ofSeconds(2));
    assertThat(CapturedLog.count(AWAY)).isEqualTo(1);
  }

  /** As of a broker that goes away once its topics are known: the client has them in its cache. */
  @Test
  void topicThatIsKnownIsNoAnswer() {
    letPass(Duration.ofSeconds(30));
    receiver.consumer.endsUnknown = true;
    letPass(Duration.ofSeconds(6));
    assertThat(CapturedLog.count(AWAY)).isEqualTo(1);
  }

  @Test
  void topicThatDoesNotExistIsTold() {
    receiver.consumer.missing.add("orders");
    letPass(Duration.ofSeconds(6));
    assertThat(CapturedLog.count(MISSING)).isEqualTo(1);
    assertThat(CapturedLog.has("other topics are received")).isFalse();
  }

  /** What other topics bring says nothing of the one that is missing. */
  @Test
  void receiverOfAMissingTopicIsAwayUntilThereIsOneWhateverElseComes() {
    ReceiverLoop two = receiver.loop(receiver::receive, "orders", "refunds");
    receiver.consumer.missing.add("refunds");
    for (int i = 0; i < 20; i++) {
      receiver.clock.advance(Duration.ofSeconds(1));
      if (i > 6) {
        receiver.add(ZERO, i - 7, i - 7);
      }
      two.step();
    }
    assertThat(receiver.effects).hasSize(13);
    assertThat(CapturedLog.has("refunds does not exist; create it: receiving creates none; other"))
        .isTrue();
    assertThat(away()).containsOnly(true).hasSizeGreaterThan(2);
    receiver.consumer.missing.clear();
    for (int i = 13; i < 20; i++) {
      receiver.clock.advance(Duration.ofSeconds(1));
      receiver.add(ZERO, i, i);
      two.step();
    }
    assertThat(away()).last().isEqualTo(false);
  }

  @Test
  void receiverOfADeniedTopicIsAwayUntilItMayBeReadWhateverElseComes() {
    ReceiverLoop two = receiver.loop(receiver::receive, "orders", "refunds");
    receiver.consumer.denied.add("refunds");
    receiver.consumer.setPollException(new TopicAuthorizationException(Set.of("refunds")));
    for (int i = 0; i < 12; i++) {
      receiver.clock.advance(Duration.ofSeconds(1));
      receiver.add(ZERO, i, i);
      two.step();
    }
    assertThat(receiver.effects).isNotEmpty();
    assertThat(away()).containsOnly(true).isNotEmpty();
    receiver.consumer.denied.clear();
    letPass(two, Duration.ofSeconds(30));
    assertThat(away()).last().isEqualTo(false);
  }

  private void letPass(ReceiverLoop stepped, Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      receiver.clock.advance(Duration.ofSeconds(1));
      stepped.step();
    }
  }

  /** Returns what was told of being away, in order. */
  private List<Boolean> away() {
    return receiver.events.stream()
        .filter(
            event ->
                event instanceof ReceiverEvent.CannotReceive
                    || event instanceof ReceiverEvent.ReceivesAgain)
        .map(ReceiverEvent.CannotReceive.class::isInstance)
        .toList();
  }

  @Test
  void whatLastsIsToldEverMoreRarely() {
    receiver.consumer.missing.add("orders");
    letPass(Duration.ofMinutes(10));
    assertThat(CapturedLog.count(MISSING)).isBetween(5L, 20L);
  }

  @Test
  void topicWithoutNewsIsNoProblem() {
    letPass(Duration.ofMinutes(1));
    assertThat(CapturedLog.stop()).doesNotContain("WARN");
  }

  @Test
  void topicThatMayNotBeReadIsToldByOthers() {
    receiver.consumer.denied.add("orders");
    letPass(Duration.ofSeconds(20));
    assertThat(CapturedLog.has(AWAY)).isFalse();
    assertThat(CapturedLog.has(MISSING)).isFalse();
  }

  @Test
  void recordsBeginTheTimeAnew() {
    receiver.consumer.isAway = true;
    letPass(Duration.ofSeconds(4));
    receiver.add(ZERO, 0, 0);
    letPass(Duration.ofSeconds(5));
    assertThat(CapturedLog.has(AWAY)).isFalse();
    letPass(Duration.ofSeconds(1));
    assertThat(CapturedLog.has(AWAY)).isTrue();
  }
}
