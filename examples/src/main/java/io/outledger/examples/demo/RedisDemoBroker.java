// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.outledger.servers.KillableServer;
import io.outledger.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Redis: a stream is a log, so what arrived can simply be read again. */
record RedisDemoBroker(RedisServer server) implements DemoBroker {

  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  static DemoBroker start() {
    return new RedisDemoBroker(RedisServer.start());
  }

  @Override
  public String title() {
    return "Redis";
  }

  @Override
  public String details() {
    return "streams orders and stock, appendfsync always";
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("broker", "redis", "redis.url", url());
  }

  @Override
  public Optional<KillableServer> killable() {
    return Optional.of(server);
  }

  /** Empty: what waits for a group and what it has are two questions, and both change meanwhile. */
  @Override
  public OptionalLong unreceived() {
    return OptionalLong.empty();
  }

  @Override
  public List<Arrival> read(String topic) {
    List<Arrival> arrivals = new ArrayList<>();
    try (RedisClient client = RedisClient.create(RedisURI.create(url()));
        StatefulRedisConnection<String, byte[]> redis = client.connect(CODEC)) {
      for (StreamMessage<String, byte[]> entry : redis.sync().xrange(topic, Range.unbounded())) {
        arrivals.add(arrival(topic, arrivals.size(), entry.getBody()));
      }
    }
    return arrivals;
  }

  @Override
  public List<String> commands() {
    return List.of("redis-cli -p " + server.port() + " XRANGE orders - +");
  }

  @Override
  public void close() {
    server.close();
  }

  private static Arrival arrival(String topic, long offset, Map<String, byte[]> fields) {
    return new Arrival(
        topic,
        offset,
        UUID.fromString(new String(field(fields, "ce_id"), UTF_8)),
        new String(field(fields, "ce_partitionkey"), UTF_8),
        field(fields, "payload"));
  }

  private static byte[] field(Map<String, byte[]> fields, String name) {
    return Objects.requireNonNull(fields.get(name), name);
  }

  private String url() {
    return "redis://127.0.0.1:" + server.port();
  }
}
