// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** From a publisher to a receiver. */
final class SqsRoundTripIT {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void messagesOfAStandardQueueArrive() {
    String queue = SharedElasticMq.newName();
    SqsQueues.create(queue);
    List<Received> received = new CopyOnWriteArrayList<>();
    List<Message> messages =
        IntStream.range(0, 95)
            .mapToObj(i -> Message.to(queue, "order.placed").key("k" + i).build())
            .toList();
    try (SqsAsyncClient client = SharedElasticMq.client(SharedElasticMq.shared().port()).build();
        Sender sender = new Sender(SqsPublisher.with(client), PATIENCE);
        RunningReceiver receiver = SqsReceiver.from(client, queue).start(received::addAll)) {
      assertThat(sender.sendAll(messages)).containsOnly(Outcome.PUBLISHED);
      Await.until("all arrive", PATIENCE, () -> received.size() == messages.size());
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(received)
        .extracting(Received::id)
        .containsExactlyInAnyOrderElementsOf(
            messages.stream().map(message -> message.id().toString()).toList());
  }
}
