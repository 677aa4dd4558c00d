// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.ConfigurationException;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Publishes messages to queues of Amazon SQS as CloudEvents, in batches of up to ten. A message is
 * published once SQS has accepted it.
 *
 * <p>Messages of one key are published one after the other, those of different keys together. In a
 * FIFO queue the key is the message group, and the message's id and topic are the deduplication id:
 * what is sent twice within five minutes is there once. A standard queue keeps no order, and may
 * deliver a message twice.
 *
 * <p>Immutable and thread-safe; each setter returns a copy. After a crash what was unacknowledged
 * is published again, with the same id.
 */
public final class SqsPublisher implements Publisher {

  private final SqsAsyncClient client;
  private final String source;
  private final UnaryOperator<String> naming;

  private SqsPublisher(SqsAsyncClient client, String source, UnaryOperator<String> naming) {
    this.client = client;
    this.source = source;
    this.naming = naming;
  }

  /**
   * Makes a publisher that sends each message to the queue with its topic's name.
   *
   * @param client of AWS's SDK, with region, credentials and whatever else is yours to choose; it
   *     stays yours to close
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public static SqsPublisher with(SqsAsyncClient client) {
    return new SqsPublisher(
        Require.nonNull("client", client), CloudEvents.SOURCE_DEFAULT, UnaryOperator.identity());
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public SqsPublisher source(String uri) {
    return new SqsPublisher(client, CloudEvents.checkedSource(uri), naming);
  }

  /**
   * Returns a publisher that maps messages' topics to queues.
   *
   * @param naming from a message's topic to the name of a queue of the client's account and region,
   *     or to a queue's URL; thread-safe, always the same answer; the default leaves the topic as
   *     it is. What it throws makes the message a dead letter
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public SqsPublisher queues(UnaryOperator<String> naming) {
    return new SqsPublisher(client, source, Require.nonNull("naming", naming));
  }

  /** SQS may accept one message of a batch and refuse another. */
  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return BatchClient.open(
        time -> new SqsService(client, time),
        new BatchClient.Choices(source, naming),
        deliveryTimeMax,
        outcomes);
  }

  /** Names the source; region and account are the client's. */
  @Override
  public String toString() {
    return "SqsPublisher[" + source + "]";
  }
}
