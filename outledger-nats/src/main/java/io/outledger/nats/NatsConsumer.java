// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A durable pull consumer.
 *
 * @param stream its stream
 * @param durable its name
 * @param filter the subjects it is for; null for all of the stream
 * @param ahead the most messages without an acknowledgement: with 1 the stream's order is kept
 * @param ackWait how long the server waits for an acknowledgement, where this creates the consumer
 */
record NatsConsumer(
    String stream, String durable, @Nullable String filter, int ahead, Duration ackWait) {

  private static final int CONSUMER_NOT_FOUND = 10014;

  /**
   * Subscribes, and creates the consumer where it does not exist.
   *
   * @throws ConfigurationException {@code OUT-021} if it exists and would lose messages or order
   */
  ConsumerInfo make(Connection connection) throws IOException, JetStreamApiException {
    try {
      return checkIsThere(connection);
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != CONSUMER_NOT_FOUND) {
        throw e;
      }
      return connection.jetStreamManagement().createConsumer(stream, wanted());
    }
  }

  /** Returns its subscription; it must exist. */
  JetStreamSubscription subscribe(Connection connection) throws IOException, JetStreamApiException {
    return connection.jetStream().subscribe(null, PullSubscribeOptions.bind(stream, durable));
  }

  /**
   * Checks that it exists. Not by its subscription, which takes a consumer that does not exist for
   * no failure.
   *
   * @return what the server says of it
   * @throws JetStreamApiException if it does not exist
   * @throws ConfigurationException {@code OUT-021} if it would lose messages or order
   */
  ConsumerInfo checkIsThere(Connection connection) throws IOException, JetStreamApiException {
    ConsumerInfo found = connection.jetStreamManagement().getConsumerInfo(stream, durable);
    check(found.getConsumerConfiguration());
    return found;
  }

  private ConsumerConfiguration wanted() {
    ConsumerConfiguration.Builder wanted =
        ConsumerConfiguration.builder()
            .durable(durable)
            .ackPolicy(AckPolicy.Explicit)
            .ackWait(ackWait)
            .maxAckPending(ahead);
    return filter == null ? wanted.build() : wanted.filterSubject(filter).build();
  }

  private void check(ConsumerConfiguration found) {
    if (found.getAckPolicy() != AckPolicy.Explicit) {
      throw wrong("acknowledges otherwise than explicitly; set its ack_policy to explicit");
    }
    if (found.getMaxDeliver() > 0) {
      throw wrong("gives up a message after some deliveries; set its max_deliver to -1");
    }
    if (ahead == 1 && found.getMaxAckPending() != 1) {
      throw wrong(
          "does not keep the order; set its max_ack_pending to 1, or call unordered() on the"
              + " receiver");
    }
  }

  private ConfigurationException wrong(String problem) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "the NATS consumer '" + durable + "' of stream '" + stream + "' " + problem);
  }

  @Override
  public String toString() {
    return durable + " of stream " + stream;
  }
}
