// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.outledger.Causes;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.publish.DestinationUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How connections to Redis are made. Each has a client of its own, so that nothing is left of one
 * that is closed.
 */
record RedisConnecting(RedisURI uri, ClientOptions options) {

  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  /** An open connection and its client. */
  record Link(RedisClient client, StatefulRedisConnection<String, byte[]> connection) {

    boolean isOpen() {
      return connection.isOpen();
    }

    /** Ends it at once; what is left of its threads ends by itself. */
    void close() {
      var unused =
          connection
              .closeAsync()
              .handle((done, failure) -> client)
              .thenCompose(RedisClient::shutdownAsync);
    }
  }

  /**
   * Connects to who proves to be the server: with TLS, its certificate is trusted and is for the
   * host.
   *
   * @throws ConfigurationException {@code OUT-021} if the URI turns that off
   */
  static RedisConnecting verified(RedisURI uri) {
    RedisConnecting connecting = unverified(uri);
    if (isUnverified(uri) || uri.getSentinels().stream().anyMatch(RedisConnecting::isUnverified)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the URI of Redis at "
              + connecting
              + " uses TLS and turns off that the server's certificate and host name are checked"
              + " (verifyPeer): leave it FULL; or, if nobody can come between, call unverified(…)"
              + " of the publisher or receiver");
    }
    return connecting;
  }

  /** Connects as the URI says. */
  static RedisConnecting unverified(RedisURI uri) {
    return new RedisConnecting(Require.nonNull("uri", uri), ClientOptions.create());
  }

  private static boolean isUnverified(RedisURI uri) {
    boolean usesTls = uri.isSsl() || uri.isStartTls();
    return usesTls && uri.getVerifyMode() != SslVerifyMode.FULL;
  }

  RedisConnecting with(ClientOptions other) {
    return new RedisConnecting(uri, other);
  }

  /**
   * Begins to connect. The client does not reconnect: it would send again, behind later commands,
   * what it had not sent before.
   *
   * @return fails with a {@link DestinationUnavailableException}
   */
  CompletableFuture<Link> connect() {
    RedisClient client = RedisClient.create();
    client.setOptions(
        options
            .mutate()
            .autoReconnect(false)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .build());
    return client
        .connectAsync(CODEC, uri)
        .toCompletableFuture()
        .handle((connection, failure) -> link(client, connection, failure));
  }

  private Link link(
      RedisClient client,
      @Nullable StatefulRedisConnection<String, byte[]> connection,
      @Nullable Throwable failure) {
    if (connection != null) {
      return new Link(client, connection);
    }
    var unused = client.shutdownAsync();
    Throwable cause = failure == null ? null : Causes.root(failure);
    String why = cause == null ? "" : cause.getMessage();
    throw new CompletionException(
        new DestinationUnavailableException(
            "cannot connect to Redis at " + this + ": " + why, cause));
  }

  /** Names the server or the sentinels, without credentials. */
  @Override
  public String toString() {
    List<RedisURI> hosts = uri.getSentinels().isEmpty() ? List.of(uri) : uri.getSentinels();
    return hosts.stream()
        .map(one -> one.getHost() + ":" + one.getPort())
        .collect(Collectors.joining(","));
  }
}
