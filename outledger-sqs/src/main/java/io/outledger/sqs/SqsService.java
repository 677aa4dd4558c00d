// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** Queues of SQS. */
final class SqsService implements BatchService {

  private static final int BYTES_MAX = 1 << 20;

  private final SqsAsyncClient client;
  private final Duration requestTimeMax;

  SqsService(SqsAsyncClient client, Duration requestTimeMax) {
    this.client = client;
    this.requestTimeMax = requestTimeMax;
  }

  @Override
  public int bytesMax() {
    return BYTES_MAX;
  }

  @Override
  public void checkName(String name) {
    SqsQueue.check(name);
  }

  @Override
  public CompletableFuture<Place> find(String name) {
    return new SqsQueue(name)
        .url(client, requestTimeMax)
        .thenCompose(
            url ->
                SqsQueue.attributes(client, url, requestTimeMax)
                    .handle((attributes, denied) -> new Place(name, url, bytesMax(attributes))));
  }

  /** Whoever may only send does not know the queue's own limit, and is told by its answer. */
  private static int bytesMax(@Nullable Map<QueueAttributeName, String> attributes) {
    String said =
        attributes == null ? null : attributes.get(QueueAttributeName.MAXIMUM_MESSAGE_SIZE);
    return said == null ? BYTES_MAX : Math.min(BYTES_MAX, Integer.parseInt(said));
  }

  @Override
  public CompletableFuture<List<Outcome>> send(Place place, List<Outgoing> batch) {
    List<SendMessageBatchRequestEntry> entries = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      entries.add(entry(place, Integer.toString(i), batch.get(i)));
    }
    return client
        .sendMessageBatch(
            SendMessageBatchRequest.builder()
                .queueUrl(place.address())
                .entries(entries)
                .overrideConfiguration(SqsQueue.within(requestTimeMax))
                .build())
        .thenApply(answer -> outcomes(place, batch.size(), answer));
  }

  private static SendMessageBatchRequestEntry entry(Place place, String number, Outgoing one) {
    SendMessageBatchRequestEntry.Builder entry =
        SendMessageBatchRequestEntry.builder()
            .id(number)
            .messageBody(one.content().body())
            .messageAttributes(one.content().attributes(SqsService::attribute));
    if (place.isFifo()) {
      entry.messageGroupId(one.group()).messageDeduplicationId(one.deduplicationId());
    }
    return entry.build();
  }

  private static MessageAttributeValue attribute(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  private static List<Outcome> outcomes(Place place, int count, SendMessageBatchResponse answer) {
    return BatchService.outcomes(
        place,
        count,
        answer.successful().stream().map(sent -> sent.id()),
        answer.failed().stream()
            .map(
                failed ->
                    new Refusal(
                        failed.id(), failed.code(), failed.message(), failed.senderFault())));
  }
}
