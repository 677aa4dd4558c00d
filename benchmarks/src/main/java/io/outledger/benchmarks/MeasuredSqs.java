// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.ElasticMq;
import io.outledger.sqs.SqsPublisher;
import io.outledger.sqs.SqsReceiver;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** A FIFO queue of ElasticMQ, which speaks as SQS does and keeps it in memory. */
final class MeasuredSqs implements MeasuredBroker {

  private static final int BATCH = 10;
  private static final int REQUESTS = 16;

  private final ElasticMq server = ElasticMq.start();
  private final SqsAsyncClient client =
      SqsAsyncClient.builder()
          .endpointOverride(URI.create(server.endpoint()))
          .region(Region.EU_CENTRAL_1)
          .credentialsProvider(
              StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
          .build();
  private String queue = "";
  private String url = "";
  private int queues;

  @Override
  public String title() {
    return "ElasticMQ by SQS, FIFO";
  }

  @Override
  public Publisher publisher() {
    return SqsPublisher.with(client).queues(topic -> queue);
  }

  @Override
  public RunningReceiver receive(BatchHandler handler) {
    return SqsReceiver.from(client, queue).start(handler);
  }

  /** As the relay's messages, these have a thousand keys in turn; SQS takes text alone. */
  @Override
  public void sendBare(List<byte[]> payloads) throws Exception {
    Deque<CompletableFuture<SendMessageBatchResponse>> onTheirWay = new ArrayDeque<>();
    for (int from = 0; from < payloads.size(); from += BATCH) {
      if (onTheirWay.size() == REQUESTS) {
        check(onTheirWay.remove().get());
      }
      List<SendMessageBatchRequestEntry> entries = new ArrayList<>(BATCH);
      for (int i = from; i < Math.min(payloads.size(), from + BATCH); i++) {
        entries.add(entry(i, Base64.getEncoder().encodeToString(payloads.get(i))));
      }
      onTheirWay.add(client.sendMessageBatch(batch -> batch.queueUrl(url).entries(entries)));
    }
    for (CompletableFuture<SendMessageBatchResponse> each : onTheirWay) {
      check(each.get());
    }
  }

  private static SendMessageBatchRequestEntry entry(int number, String body) {
    return SendMessageBatchRequestEntry.builder()
        .id(Integer.toString(number))
        .messageBody(body)
        .messageGroupId(WaitingLedger.key(number))
        .messageDeduplicationId(Integer.toString(number))
        .build();
  }

  private static void check(SendMessageBatchResponse response) {
    if (!response.failed().isEmpty()) {
      throw new IllegalStateException("refused: " + response.failed());
    }
  }

  @Override
  public void takeBare(int count, Work work) throws Exception {
    int taken = 0;
    while (taken < count) {
      List<Message> some =
          client
              .receiveMessage(r -> r.queueUrl(url).maxNumberOfMessages(BATCH).waitTimeSeconds(1))
              .get()
              .messages();
      for (Message message : some) {
        work.on(message.body().getBytes(UTF_8));
        client.deleteMessage(d -> d.queueUrl(url).receiptHandle(message.receiptHandle())).get();
        taken++;
      }
    }
  }

  /** Makes a queue with another name, since an emptied one still drops ids that it has seen. */
  @Override
  public void clear() throws Exception {
    if (!url.isEmpty()) {
      String old = url;
      client.deleteQueue(q -> q.queueUrl(old)).get();
    }
    queue = "orders-" + ++queues + ".fifo";
    Map<QueueAttributeName, String> fifo = Map.of(QueueAttributeName.FIFO_QUEUE, "true");
    url = client.createQueue(q -> q.queueName(queue).attributes(fifo)).get().queueUrl();
  }

  @Override
  public OptionalLong count() throws Exception {
    QueueAttributeName count = QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;
    Map<QueueAttributeName, String> known =
        client.getQueueAttributes(q -> q.queueUrl(url).attributeNames(count)).get().attributes();
    return OptionalLong.of(Long.parseLong(known.get(count)));
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
