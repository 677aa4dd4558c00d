// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * A queue of SQS as users name it.
 *
 * @param given its name, or its URL where it belongs to another account
 */
record SqsQueue(String given) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,80}(\\.fifo)?");
  private static final int NAME_CHARS_MAX = 80;
  private static final String FIFO = ".fifo";

  /** Returns the queue's name, without the rest of a URL. */
  String name() {
    return isUrl() ? given.substring(given.lastIndexOf('/') + 1) : given;
  }

  boolean isFifo() {
    return given.endsWith(FIFO);
  }

  private boolean isUrl() {
    return given.contains("://");
  }

  boolean isValid() {
    return NAME.matcher(name()).matches() && name().length() <= NAME_CHARS_MAX;
  }

  /**
   * Checks the name of a queue to send to.
   *
   * @throws InvalidMessageException {@code OUT-014} if no queue can have it
   */
  static void check(String given) {
    if (!new SqsQueue(given).isValid()) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "'"
              + Printable.value(given)
              + "' is not a queue of SQS: a name has up to 80 letters, digits, dashes and"
              + " underscores, and may end with .fifo; map the topic with SqsPublisher.queues");
    }
  }

  CompletableFuture<String> url(SqsAsyncClient client, Duration timeMax) {
    return isUrl()
        ? CompletableFuture.completedFuture(given)
        : client
            .getQueueUrl(
                GetQueueUrlRequest.builder()
                    .queueName(given)
                    .overrideConfiguration(within(timeMax))
                    .build())
            .thenApply(GetQueueUrlResponse::queueUrl);
  }

  static CompletableFuture<Map<QueueAttributeName, String>> attributes(
      SqsAsyncClient client, String url, Duration timeMax) {
    return client
        .getQueueAttributes(
            GetQueueAttributesRequest.builder()
                .queueUrl(url)
                .attributeNames(QueueAttributeName.ALL)
                .overrideConfiguration(within(timeMax))
                .build())
        .thenApply(GetQueueAttributesResponse::attributes);
  }

  /** Bounds a request, whatever the user's client says. */
  static AwsRequestOverrideConfiguration within(Duration timeMax) {
    return AwsRequestOverrideConfiguration.builder().apiCallTimeout(timeMax).build();
  }

  @Override
  public String toString() {
    return "queue " + given;
  }
}
