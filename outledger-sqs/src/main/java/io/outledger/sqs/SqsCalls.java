// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/** What a receiver asks of one queue. Thread-safe. */
final class SqsCalls {

  private static final int BATCH_MAX = 10;

  /**
   * How long SQS waits for messages. A poll that is given up may still take some, which nobody has
   * then until their visibility timeout is over; so this is short enough for closing to wait.
   */
  static final Duration WAIT = Duration.ofSeconds(2);

  private static final Duration REQUEST_MAX = Duration.ofSeconds(3);

  private final SqsAsyncClient client;
  private final SqsQueue queue;
  private final String url;
  private final Window window;

  private SqsCalls(SqsAsyncClient client, SqsQueue queue, String url, Window window) {
    this.client = client;
    this.queue = queue;
    this.url = url;
    this.window = window;
  }

  /**
   * Finds the queue.
   *
   * @param window one asks for each message by itself: one that the SDK cannot read fails a poll
   * @throws DestinationUnavailableException if it cannot be found now
   */
  static SqsCalls open(SqsAsyncClient client, SqsQueue queue, Window window)
      throws InterruptedException {
    return new SqsCalls(client, queue, result(queue, queue.url(client, REQUEST_MAX)), window);
  }

  SqsQueue queue() {
    return queue;
  }

  /** Asks for the queue's attributes; what it fails with is one of AWS's exceptions. */
  CompletableFuture<Map<QueueAttributeName, String>> attributes() {
    return SqsQueue.attributes(client, url, REQUEST_MAX);
  }

  /** Waits at SQS for messages: up to ten, or one. */
  CompletableFuture<List<Message>> receive(Duration visibility) {
    return client
        .receiveMessage(
            request ->
                request
                    .queueUrl(url)
                    .maxNumberOfMessages(window == Window.ONE ? 1 : BATCH_MAX)
                    .waitTimeSeconds(seconds(WAIT))
                    .visibilityTimeout(seconds(visibility))
                    .messageAttributeNames("All")
                    .messageSystemAttributeNames(MessageSystemAttributeName.MESSAGE_GROUP_ID)
                    .overrideConfiguration(
                        limits ->
                            limits
                                .apiCallAttemptTimeout(WAIT.plus(REQUEST_MAX))
                                .apiCallTimeout(WAIT.plus(REQUEST_MAX).plus(REQUEST_MAX))
                                .addPlugin(SqsCalls::once)))
        .thenApply(ReceiveMessageResponse::messages);
  }

  /** Repeated by the SDK, a poll that fails at one of its messages loses as many others. */
  private static void once(SdkServiceClientConfiguration.Builder client) {
    client.overrideConfiguration(
        client
            .overrideConfiguration()
            .copy(limits -> limits.retryStrategy(AwsRetryStrategy.doNotRetry())));
  }

  /**
   * Deletes messages.
   *
   * @param receipts of their deliveries
   * @return the codes of what SQS refused, by its number in the list
   * @throws DestinationUnavailableException if SQS cannot be told now, or may not have been
   */
  Map<Integer, String> delete(List<String> receipts) throws InterruptedException {
    return inBatches(
        receipts,
        (from, to) ->
            client
                .deleteMessageBatch(
                    request ->
                        request
                            .queueUrl(url)
                            .entries(deletions(receipts, from, to))
                            .overrideConfiguration(SqsQueue.within(REQUEST_MAX)))
                .thenApply(DeleteMessageBatchResponse::failed));
  }

  private static List<DeleteMessageBatchRequestEntry> deletions(
      List<String> receipts, int from, int to) {
    List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      entries.add(
          DeleteMessageBatchRequestEntry.builder()
              .id(Integer.toString(i))
              .receiptHandle(receipts.get(i))
              .build());
    }
    return entries;
  }

  /**
   * Has SQS deliver messages again only after some time, from now; at once if that is zero.
   *
   * @return as {@link #delete}
   */
  Map<Integer, String> changeVisibility(List<String> receipts, Duration visibility)
      throws InterruptedException {
    return inBatches(
        receipts,
        (from, to) ->
            client
                .changeMessageVisibilityBatch(
                    request ->
                        request
                            .queueUrl(url)
                            .entries(changes(receipts, from, to, seconds(visibility)))
                            .overrideConfiguration(SqsQueue.within(REQUEST_MAX)))
                .thenApply(ChangeMessageVisibilityBatchResponse::failed));
  }

  private static List<ChangeMessageVisibilityBatchRequestEntry> changes(
      List<String> receipts, int from, int to, int seconds) {
    List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      entries.add(
          ChangeMessageVisibilityBatchRequestEntry.builder()
              .id(Integer.toString(i))
              .receiptHandle(receipts.get(i))
              .visibilityTimeout(seconds)
              .build());
    }
    return entries;
  }

  private Map<Integer, String> inBatches(
      List<String> receipts,
      BiFunction<Integer, Integer, CompletableFuture<List<BatchResultErrorEntry>>> request)
      throws InterruptedException {
    List<CompletableFuture<List<BatchResultErrorEntry>>> sent = new ArrayList<>();
    for (int from = 0; from < receipts.size(); from += BATCH_MAX) {
      sent.add(request.apply(from, Math.min(receipts.size(), from + BATCH_MAX)));
    }
    Map<Integer, String> failed = new TreeMap<>();
    for (CompletableFuture<List<BatchResultErrorEntry>> one : sent) {
      for (BatchResultErrorEntry entry : result(queue, one)) {
        failed.put(Integer.valueOf(entry.id()), String.valueOf(entry.code()));
      }
    }
    return failed;
  }

  private static <T> T result(SqsQueue queue, CompletableFuture<T> answer)
      throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw AwsOutcomes.unavailable(queue.given(), e);
    }
  }

  private static int seconds(Duration duration) {
    return Math.toIntExact(duration.toSeconds());
  }
}
