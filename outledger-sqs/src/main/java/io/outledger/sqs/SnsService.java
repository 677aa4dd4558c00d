// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.sns.SnsAsyncClient;
import software.amazon.awssdk.services.sns.model.MessageAttributeValue;
import software.amazon.awssdk.services.sns.model.PublishBatchRequest;
import software.amazon.awssdk.services.sns.model.PublishBatchRequestEntry;
import software.amazon.awssdk.services.sns.model.PublishBatchResponse;

/** Topics of SNS. */
final class SnsService implements BatchService {

  private static final int BYTES_MAX = 256 * 1024;
  private static final Pattern ARN =
      Pattern.compile("arn:[a-z0-9-]+:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}(\\.fifo)?");

  private final SnsAsyncClient client;
  private final Duration requestTimeMax;

  SnsService(SnsAsyncClient client, Duration requestTimeMax) {
    this.client = client;
    this.requestTimeMax = requestTimeMax;
  }

  @Override
  public int bytesMax() {
    return BYTES_MAX;
  }

  @Override
  public void checkName(String name) {
    if (!ARN.matcher(name).matches()) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "'"
              + Printable.value(name)
              + "' is not the ARN of an SNS topic, such as"
              + " arn:aws:sns:eu-central-1:123456789012:orders; SnsPublisher is given a"
              + " function from a message's topic to its ARN");
    }
  }

  /** An ARN is all that SNS needs. */
  @Override
  public CompletableFuture<Place> find(String name) {
    return CompletableFuture.completedFuture(new Place(name, name, BYTES_MAX));
  }

  @Override
  public CompletableFuture<List<Outcome>> send(Place place, List<Outgoing> batch) {
    List<PublishBatchRequestEntry> entries = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      entries.add(entry(place, Integer.toString(i), batch.get(i)));
    }
    return client
        .publishBatch(
            PublishBatchRequest.builder()
                .topicArn(place.address())
                .publishBatchRequestEntries(entries)
                .overrideConfiguration(SqsQueue.within(requestTimeMax))
                .build())
        .thenApply(answer -> outcomes(place, batch.size(), answer));
  }

  private static PublishBatchRequestEntry entry(Place place, String number, Outgoing one) {
    PublishBatchRequestEntry.Builder entry =
        PublishBatchRequestEntry.builder()
            .id(number)
            .message(one.content().body())
            .messageAttributes(one.content().attributes(SnsService::attribute));
    if (place.isFifo()) {
      entry.messageGroupId(one.group()).messageDeduplicationId(one.deduplicationId());
    }
    return entry.build();
  }

  private static MessageAttributeValue attribute(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  private static List<Outcome> outcomes(Place place, int count, PublishBatchResponse answer) {
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
