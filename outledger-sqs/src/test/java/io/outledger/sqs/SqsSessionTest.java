// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.receive.Redelivery;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** What is said of a queue that would take messages away. */
final class SqsSessionTest {

  private static final SqsQueue FIFO = new SqsQueue("orders.fifo");

  private static String redrive(Object receives) {
    return "{\"deadLetterTargetArn\":\"arn:aws:sqs:x:1:dead.fifo\",\"maxReceiveCount\": %s}"
        .formatted(receives);
  }

  private static Map<QueueAttributeName, String> policy(Object receives) {
    return Map.of(QueueAttributeName.REDRIVE_POLICY, redrive(receives));
  }

  @Test
  void fewReceivesBeforeTheDeadLetterQueueAreWarnedOf() {
    assertThat(SqsSession.warnings(FIFO, policy(5)))
        .singleElement()
        .asString()
        .contains("'orders.fifo'", "after 5 receives", "overtake", "1000");
    assertThat(SqsSession.warnings(new SqsQueue("orders"), policy("\"3\"")))
        .singleElement()
        .asString()
        .contains("after 3 receives")
        .doesNotContain("overtake");
    assertThat(SqsSession.warnings(FIFO, policy(1000))).isEmpty();
  }

  @Test
  void shortRetentionIsWarnedOf() {
    Map<QueueAttributeName, String> hour =
        Map.of(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "3600");
    assertThat(SqsSession.warnings(FIFO, hour))
        .singleElement()
        .asString()
        .contains("for 1 h", "1209600");
    assertThat(
            SqsSession.warnings(
                FIFO, Map.of(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "345600")))
        .isEmpty();
  }

  @Test
  void inboxIsToRememberForAsLongAsTheQueueKeepsAMessage() {
    assertThat(
            SqsSession.redelivery(
                FIFO, Map.of(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "1209600")))
        .isEqualTo(
            new Redelivery("queue orders.fifo (MessageRetentionPeriod)", Duration.ofDays(14)));
    assertThat(SqsSession.redelivery(FIFO, Map.of())).isNull();
  }

  @Test
  void nothingIsSaidWhereNothingIsKnown() {
    assertThat(SqsSession.warnings(FIFO, Map.of())).isEmpty();
    assertThat(SqsSession.warnings(FIFO, Map.of(QueueAttributeName.REDRIVE_POLICY, "{}")))
        .isEmpty();
  }
}
