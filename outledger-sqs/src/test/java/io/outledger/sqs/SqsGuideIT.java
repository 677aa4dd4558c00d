// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sns.SnsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** The programs of docs/sqs.md. */
final class SqsGuideIT {

  private static SqsAsyncClient publish() {
    SqsAsyncClient sqs = SqsAsyncClient.builder().region(Region.EU_CENTRAL_1).build();

    Publisher publisher =
        SqsPublisher.with(sqs).source("/shop/orders").queues(topic -> "shop-" + topic + ".fifo");
    assertThat(publisher).hasToString("SqsPublisher[/shop/orders]");
    return sqs;
  }

  private static void publish(SnsAsyncClient sns) {
    Publisher publisher =
        SnsPublisher.with(sns, topic -> "arn:aws:sns:eu-central-1:123456789012:" + topic);
    assertThat(publisher).hasToString("SnsPublisher[/outledger]");
  }

  private static void receive(SqsAsyncClient sqs, BatchHandler handler) {
    RunningReceiver receiver = SqsReceiver.from(sqs, "shop-orders.fifo").start(handler);
    assertThat(receiver.isRunning()).isTrue();
    receiver.close();
  }

  @Test
  void programsOfThePagePublishWithoutAServer() {
    try (SqsAsyncClient sqs = publish();
        SnsAsyncClient sns = SnsAsyncClient.builder().region(Region.EU_CENTRAL_1).build()) {
      publish(sns);
      assertThat(sqs.serviceName()).isEqualTo("sqs");
    }
  }

  @Test
  void programOfThePageReceives() {
    SqsQueues.create("shop-orders.fifo");
    receive(SharedElasticMq.shared().direct(), batch -> {});
  }
}
