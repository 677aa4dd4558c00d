// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** What a client remembers of a queue must not outlast a failure, whichever request meets it. */
final class SqsAfterFailuresIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(10);
  private static final List<String> REQUESTS =
      List.of("GetQueueUrl", "GetQueueAttributes", "SendMessageBatch");

  private final AwsFront front = new AwsFront();
  private final Map<String, AwsFront.Answer> failures =
      Map.of(
          "wrong credentials", front.error(403, "InvalidClientTokenId"),
          "no right", front.error(403, "AccessDenied"),
          "too many requests", front.error(400, "ThrottlingException"),
          "a failure of the service", front.error(500, "InternalFailure"),
          "no answer", AwsFront.Answer.NONE);
  private final String queue = SharedElasticMq.newFifoName();
  private final String url = SqsQueues.create(queue);
  private final SqsAsyncClient client =
      SharedElasticMq.client(front.port())
          .overrideConfiguration(limits -> limits.retryStrategy(AwsRetryStrategy.doNotRetry()))
          .build();

  @AfterEach
  void close() {
    front.pass();
    client.close();
    front.close();
    SqsQueues.delete(url);
  }

  @Test
  void sameClientPublishesAfterEachFailureOfEachRequest() {
    for (String request : REQUESTS) {
      failures.forEach((name, failure) -> goesOnAfter(request, name, failure));
    }
  }

  private void goesOnAfter(String request, String name, AwsFront.Answer failure) {
    List<Message> message =
        List.of(Message.to(queue, "order.placed").key("k").payload(new byte[] {'x'}).build());
    try (Sender sender = new Sender(SqsPublisher.with(client), DELIVERY_TIME_MAX)) {
      front.rule(request, body -> failure);
      List<Outcome> failed = sender.sendAll(message);
      front.pass();
      assertThat(sender.sendAll(message))
          .as("after %s met %s: %s", request, name, failed)
          .containsExactly(Outcome.PUBLISHED);
    }
  }
}
