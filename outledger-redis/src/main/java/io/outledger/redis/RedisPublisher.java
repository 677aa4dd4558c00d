// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.publish.AsyncClient;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Appends messages to Redis Streams (XADD), one entry a message, with the attributes of CloudEvents
 * as fields. A message is published once Redis has answered; whether it is on a disk or a replica
 * then is a matter of Redis's configuration and of {@link #replicas}.
 *
 * <p>Messages of one key are appended one after the other, those of different keys side by side on
 * one connection.
 *
 * <p>Immutable and thread-safe; each setter returns a copy. After a crash what was unacknowledged
 * is appended again, with the same id.
 */
public final class RedisPublisher implements Publisher {

  private static final int REPLICAS_MAX = 100;

  private final RedisConnecting connecting;
  private final String source;
  private final UnaryOperator<String> naming;
  private final int replicas;

  private RedisPublisher(
      RedisConnecting connecting, String source, UnaryOperator<String> naming, int replicas) {
    this.connecting = connecting;
    this.source = source;
    this.naming = naming;
    this.replicas = replicas;
  }

  /**
   * Makes a publisher. Nothing is opened. With TLS the server's certificate must be trusted and be
   * for the host that is connected to; {@link #unverified} takes a URI as it is.
   *
   * @param uri the server, or the sentinels that know it; with credentials and TLS if need be
   * @throws ConfigurationException {@code OUT-021} if it is null, or uses TLS and turns {@code
   *     verifyPeer} off
   */
  public static RedisPublisher to(RedisURI uri) {
    return of(RedisConnecting.verified(uri));
  }

  /**
   * Makes a publisher like {@link #to}, of a URI that may trust everybody and check no host name:
   * it is taken as it is.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public static RedisPublisher unverified(RedisURI uri) {
    return of(RedisConnecting.unverified(uri));
  }

  private static RedisPublisher of(RedisConnecting connecting) {
    return new RedisPublisher(connecting, CloudEvents.SOURCE_DEFAULT, UnaryOperator.identity(), 0);
  }

  /**
   * Returns a publisher with other options of the client, such as what certificates it trusts. The
   * publisher itself sees to reconnecting.
   */
  public RedisPublisher clientOptions(ClientOptions value) {
    return new RedisPublisher(
        connecting.with(Require.nonNull("clientOptions", value)), source, naming, replicas);
  }

  /**
   * Returns a publisher with another CloudEvents source: who the messages are from. Receivers take
   * source and id together for a message's identity, so a source is not changed lightly.
   *
   * @param uri a URI reference of at most 200 characters; the default is {@code /outledger}
   * @throws ConfigurationException {@code OUT-021} if it is not a URI reference
   */
  public RedisPublisher source(String uri) {
    return new RedisPublisher(connecting, CloudEvents.checkedSource(uri), naming, replicas);
  }

  /**
   * Returns a publisher that maps messages' topics to the keys of streams.
   *
   * @param naming thread-safe, always the same answer; the default leaves the topic as it is. What
   *     it throws makes the message a dead letter
   */
  public RedisPublisher streams(UnaryOperator<String> naming) {
    return new RedisPublisher(connecting, source, Require.nonNull("naming", naming), replicas);
  }

  /**
   * Returns a publisher that takes a message for published only when this many replicas have it
   * (WAIT): with them in memory, so that it survives the loss of the server, if one of them is
   * promoted. A wait holds the connection, so messages are then appended one at a time.
   *
   * @param count 0 to 100; the default, 0, does not wait
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public RedisPublisher replicas(int count) {
    if (count < 0 || count > REPLICAS_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "replicas must be 0 to 100, not " + count);
    }
    return new RedisPublisher(connecting, source, naming, count);
  }

  /** Redis may refuse a message for want of memory and have some again for the next one. */
  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new AsyncClient<>(new RedisLine(this, deliveryTimeMax), deliveryTimeMax, outcomes);
  }

  RedisConnecting connecting() {
    return connecting;
  }

  String sourceUri() {
    return source;
  }

  String streamOf(String topic) {
    return naming.apply(topic);
  }

  int replicaCount() {
    return replicas;
  }

  /** Names the server, without credentials. */
  @Override
  public String toString() {
    return "RedisPublisher[" + connecting + "]";
  }
}
