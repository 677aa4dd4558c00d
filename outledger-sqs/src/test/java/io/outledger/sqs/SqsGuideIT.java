// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sns.SnsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** The programs of docs/sqs.md. */
final class SqsGuideIT {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

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

  private static RunningReceiver receive(SqsAsyncClient sqs, BatchHandler handler) {
    RunningReceiver receiver = SqsReceiver.from(sqs, "shop-orders.fifo").start(handler);
    return receiver;
  }

  @Test
  void programsOfThePageMakePublishersWithoutAServer() {
    publish().close();
    try (SnsAsyncClient sns = SnsAsyncClient.builder().region(Region.EU_CENTRAL_1).build()) {
      publish(sns);
    }
  }

  @Test
  void programOfThePageReceives() {
    SqsQueues.create("shop-orders.fifo");
    SqsAsyncClient sqs = SharedElasticMq.shared().direct();
    Message message = Message.to("shop-orders.fifo", "order.placed").key("order-1").build();
    try (Sender sender = new Sender(SqsPublisher.with(sqs), PATIENCE)) {
      assertThat(sender.sendAll(List.of(message))).containsExactly(Outcome.PUBLISHED);
    }
    List<Received> received = new CopyOnWriteArrayList<>();
    try (RunningReceiver receiver = receive(sqs, received::addAll)) {
      Await.until("it arrives", PATIENCE, () -> !received.isEmpty());
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(received).extracting(Received::id).containsExactly(message.id().toString());
  }
}
