// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.Redelivery;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
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

  private static DeliveryLimit limit(String queue, Object receives) {
    return Objects.requireNonNull(SqsSession.told(new SqsQueue(queue), policy(receives)).limit());
  }

  @Test
  void receivesBeforeTheDeadLetterQueueAreTold() {
    assertThat(limit("orders.fifo", 5).deliveries()).isEqualTo(5);
    assertThat(limit("orders.fifo", 5).words())
        .contains("'orders.fifo'", "after 5 receives", "overtake", "1000");
    assertThat(limit("orders", "\"3\"").words())
        .contains("after 3 receives")
        .doesNotContain("overtake");
    assertThat(limit("orders", 99).isFew()).isTrue();
    assertThat(limit("orders", 1000).isFew()).isFalse();
  }

  @Test
  void shortRetentionIsWarnedOf() {
    Map<QueueAttributeName, String> hour =
        Map.of(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "3600");
    assertThat(SqsSession.warning(FIFO, hour)).contains("for 1 h", "1209600");
    assertThat(
            SqsSession.warning(FIFO, Map.of(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "345600")))
        .isNull();
  }

  @Test
  void inboxIsToRememberForAsLongAsTheQueueKeepsAMessage() {
    assertThat(
            SqsSession.told(FIFO, Map.of(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "1209600"))
                .redelivery())
        .isEqualTo(
            new Redelivery("queue orders.fifo (MessageRetentionPeriod)", Duration.ofDays(14)));
  }

  @Test
  void nothingIsSaidWhereNothingIsKnown() {
    assertThat(SqsSession.told(FIFO, Map.of())).isEqualTo(SqsDeliveries.Told.NOTHING);
    assertThat(SqsSession.told(FIFO, Map.of(QueueAttributeName.REDRIVE_POLICY, "{}")))
        .isEqualTo(SqsDeliveries.Told.NOTHING);
  }
}
