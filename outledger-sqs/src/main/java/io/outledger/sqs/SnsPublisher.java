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
import software.amazon.awssdk.services.sns.SnsAsyncClient;

/**
 * Publishes messages to topics of Amazon SNS as CloudEvents, in batches of up to ten. A message is
 * published once SNS has accepted it. Needs AWS's client of SNS on the class path.
 *
 * <p>Messages of one key are published one after the other, those of different keys together. In a
 * FIFO topic the key is the message group, and the message's id and topic are the deduplication id.
 * A standard topic keeps no order, and may deliver a message twice.
 *
 * <p>Immutable and thread-safe; each setter returns a copy. After a crash what was unacknowledged
 * is published again, with the same id.
 */
public final class SnsPublisher implements Publisher {

  private final SnsAsyncClient client;
  private final String source;
  private final UnaryOperator<String> naming;

  private SnsPublisher(SnsAsyncClient client, String source, UnaryOperator<String> naming) {
    this.client = client;
    this.source = source;
    this.naming = naming;
  }

  /**
   * Makes a publisher.
   *
   * @param client of AWS's SDK, with region, credentials and whatever else is yours to choose; it
   *     stays yours to close
   * @param arns from a message's topic to the ARN of a topic of SNS; thread-safe, always the same
   *     answer. What it throws makes the message a dead letter
   * @throws ConfigurationException {@code OUT-021} if an argument is null
   */
  public static SnsPublisher with(SnsAsyncClient client, UnaryOperator<String> arns) {
    return new SnsPublisher(
        Require.nonNull("client", client),
        CloudEvents.SOURCE_DEFAULT,
        Require.nonNull("arns", arns));
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public SnsPublisher source(String uri) {
    return new SnsPublisher(client, CloudEvents.checkedSource(uri), naming);
  }

  /** SNS may accept one message of a batch and refuse another. */
  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return BatchClient.open(
        time -> new SnsService(client, time),
        new BatchClient.Choices(source, naming),
        deliveryTimeMax,
        outcomes);
  }

  /** Names the source; region and account are the client's. */
  @Override
  public String toString() {
    return "SnsPublisher[" + source + "]";
  }
}
