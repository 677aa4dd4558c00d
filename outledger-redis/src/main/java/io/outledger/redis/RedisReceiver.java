// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.inbox.BatchHandler;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.QueueReceiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.UnreadableMessages;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Receives from a Redis stream as a member of a consumer group, and hands the messages to a {@link
 * BatchHandler}. An entry is acknowledged only after it has taken effect; so after a crash it comes
 * again, and a handler with an inbox does nothing twice.
 *
 * <p>One instance has entries at a time: another one reads on when all are acknowledged, and takes
 * over those of a dead instance. So the stream's order is kept.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class RedisReceiver extends BrokerReceiver<RedisReceiver> {

  private static final Duration TAKE_OVER_DEFAULT = Duration.ofSeconds(30);
  private static final Duration TAKE_OVER_MIN = Duration.ofSeconds(1);

  private final RedisConnecting connecting;
  private final RedisGroup group;

  private RedisReceiver(RedisConnecting connecting, RedisGroup group, ReceiverSettings settings) {
    super(settings);
    this.connecting = connecting;
    this.group = group;
  }

  /**
   * Makes a receiver. Nothing is opened. With TLS the server's certificate must be trusted and be
   * for the host that is connected to; {@link #unverified} takes a URI as it is.
   *
   * @param uri the server, or the sentinels that know it; with credentials and TLS if need be
   * @param stream the stream's key
   * @param group the consumer group: all instances of one application have the same. Stream and
   *     group are created where they do not exist; the group then starts with the oldest entry
   * @throws ConfigurationException {@code OUT-021} if an argument is null or empty, or the URI uses
   *     TLS and turns {@code verifyPeer} off
   */
  public static RedisReceiver of(RedisURI uri, String stream, String group) {
    return of(RedisConnecting.verified(uri), stream, group);
  }

  /**
   * Makes a receiver like {@link #of}, of a URI that may trust everybody and check no host name: it
   * is taken as it is.
   *
   * @throws ConfigurationException {@code OUT-021} if an argument is null or empty
   */
  public static RedisReceiver unverified(RedisURI uri, String stream, String group) {
    return of(RedisConnecting.unverified(uri), stream, group);
  }

  private static RedisReceiver of(RedisConnecting connecting, String stream, String group) {
    checkName("stream", stream);
    checkName("group", group);
    return new RedisReceiver(
        connecting, new RedisGroup(stream, group, TAKE_OVER_DEFAULT), ReceiverSettings.DEFAULT);
  }

  /** Returns a receiver with other options of the client, such as what certificates it trusts. */
  public RedisReceiver clientOptions(ClientOptions value) {
    Require.nonNull("clientOptions", value);
    return new RedisReceiver(connecting.with(value), group, settings);
  }

  /**
   * Returns a receiver that takes over another instance's entries after another time without a sign
   * of it. A handler that takes longer may be overtaken: its entries are then handled twice, at the
   * same time.
   *
   * @param value 1 second or more; the default is 30 seconds
   * @throws ConfigurationException {@code OUT-021} if it is null or less
   */
  public RedisReceiver takeOverAfter(Duration value) {
    if (Require.nonNull("takeOverAfter", value).compareTo(TAKE_OVER_MIN) < 0) {
      throw invalid("takeOverAfter must be 1 second or more, not " + value);
    }
    return new RedisReceiver(
        connecting, new RedisGroup(group.stream(), group.name(), value), settings);
  }

  /**
   * Returns a receiver that passes unreadable entries, those that are not CloudEvents, to a handler
   * and then skips them. By default, and if the handler fails, such an entry blocks the stream.
   *
   * @throws ConfigurationException {@code OUT-021} if it is null
   */
  public RedisReceiver unreadable(UnreadableMessages noting) {
    return with(settings.withUnreadable(noting));
  }

  /**
   * Returns a receiver with a name of its own for the place that its messages come from. An inbox
   * takes place, source and id together for a message's identity, so that nobody who may write to
   * one stream can impersonate a sender of another. By default the place is the stream.
   *
   * @param name 1 to 256 characters of ASCII without spaces; never to be changed
   * @throws ConfigurationException {@code OUT-021} if it has another form
   */
  public RedisReceiver origin(String name) {
    return with(settings.withOrigin(name));
  }

  @Override
  protected RedisReceiver with(ReceiverSettings other) {
    return new RedisReceiver(connecting, group, other);
  }

  @Override
  protected OpenReceiver open(BatchHandler handler) {
    settings.checkOrigin("stream", group.stream());
    ReceiverContext context = settings.context(group.toString());
    String member = new UUID(context.random().nextLong(), context.random().nextLong()).toString();
    return QueueReceiver.start(
        context,
        handler,
        window -> RedisDeliveries.open(connecting, group, member, settings, window));
  }

  /** Names the stream, the group and the server. */
  @Override
  public String toString() {
    return "RedisReceiver[" + group + " at " + connecting + "]";
  }

  // Data from configuration may well be null where its type says otherwise.
  private static void checkName(String what, @Nullable String name) {
    if (Require.nonNull(what, name).isEmpty()) {
      throw invalid("the Redis receiver's " + what + " must not be empty");
    }
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
