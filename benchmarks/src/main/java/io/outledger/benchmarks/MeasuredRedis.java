// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.lettuce.core.Consumer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.redis.RedisPublisher;
import io.outledger.redis.RedisReceiver;
import io.outledger.servers.RedisServer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/** A stream of Redis, which has each write on disk before it answers. */
final class MeasuredRedis implements MeasuredBroker {

  private static final String STREAM = "orders";
  private static final String GROUP = "bare";
  private static final int WINDOW = 500;
  private static final int BATCH = 100;
  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  private final RedisServer server = RedisServer.start();

  /** What is done with a connection. */
  private interface Act<T> {
    T with(StatefulRedisConnection<String, byte[]> redis) throws Exception;
  }

  @Override
  public String title() {
    return "Redis Streams";
  }

  @Override
  public Publisher publisher() {
    return RedisPublisher.to(uri());
  }

  @Override
  public RunningReceiver receive(BatchHandler handler) {
    return RedisReceiver.of(uri(), STREAM, "receiver").start(handler);
  }

  @Override
  public void sendBare(List<byte[]> payloads) throws Exception {
    act(
        redis -> {
          Deque<RedisFuture<String>> onTheirWay = new ArrayDeque<>();
          for (byte[] payload : payloads) {
            if (onTheirWay.size() == WINDOW) {
              onTheirWay.remove().get();
            }
            onTheirWay.add(redis.async().xadd(STREAM, Map.of("payload", payload)));
          }
          for (RedisFuture<String> each : onTheirWay) {
            each.get();
          }
          return payloads.size();
        });
  }

  @Override
  @SuppressWarnings("unchecked") // an array of one, as the client's method has it
  public void takeBare(int count, Work work) throws Exception {
    act(
        redis -> {
          redis
              .sync()
              .xgroupCreate(
                  StreamOffset.from(STREAM, "0"), GROUP, XGroupCreateArgs.Builder.mkstream());
          int taken = 0;
          while (taken < count) {
            List<StreamMessage<String, byte[]>> some =
                redis
                    .sync()
                    .xreadgroup(
                        Consumer.from(GROUP, "one"),
                        XReadArgs.Builder.count(BATCH),
                        StreamOffset.lastConsumed(STREAM));
            for (StreamMessage<String, byte[]> message : some) {
              work.on(Objects.requireNonNull(message.getBody().get("payload")));
              redis.sync().xack(STREAM, GROUP, message.getId());
              taken++;
            }
          }
          return taken;
        });
  }

  @Override
  public void clear() throws Exception {
    act(redis -> redis.sync().del(STREAM));
  }

  @Override
  public OptionalLong count() throws Exception {
    return OptionalLong.of(act(redis -> redis.sync().xlen(STREAM)));
  }

  @Override
  public void close() {
    server.close();
  }

  private RedisURI uri() {
    return RedisURI.create("127.0.0.1", server.port());
  }

  private <T> T act(Act<T> act) throws Exception {
    try (RedisClient client = RedisClient.create(uri());
        StatefulRedisConnection<String, byte[]> redis = client.connect(CODEC)) {
      return act.with(redis);
    }
  }
}
