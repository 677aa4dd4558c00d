// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.outledger.inbox.Received;
import io.outledger.servers.RedisServer;
import io.outledger.servers.TcpProxy;
import java.util.List;

/** A Redis that clients reach through a faulty line, and an observer through a good one. */
final class ProxiedRedis implements AutoCloseable {

  final RedisServer server;
  final TcpProxy line;
  private final RedisClient client;
  private final StatefulRedisConnection<String, byte[]> observer;

  private ProxiedRedis(RedisServer server) {
    this.server = server;
    this.line = TcpProxy.before(server.port());
    this.client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
    this.observer = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
  }

  static ProxiedRedis start(String... settings) {
    return new ProxiedRedis(RedisServer.start(settings));
  }

  /** Where clients connect. */
  RedisURI uri() {
    return RedisURI.create("127.0.0.1", line.port());
  }

  /** An observer's commands; it connects again by itself. */
  RedisCommands<String, byte[]> observer() {
    return observer.sync();
  }

  /** Returns everything in a stream, in its order. */
  List<Received> messages(String stream) {
    RedisReader reader = new RedisReader(stream, null);
    List<StreamMessage<String, byte[]>> entries = observer().xrange(stream, Range.unbounded());
    return entries.stream()
        .map(entry -> reader.read(new RedisGroup.Entry(entry.getId(), entry.getBody())))
        .toList();
  }

  @Override
  public void close() {
    observer.close();
    client.shutdown();
    line.close();
    server.close();
  }
}
