// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.outledger.contracts.Fuzz;
import io.outledger.contracts.ReceiverFixture;
import io.outledger.contracts.ReceiverSetup;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A stream and a consumer group of its own on a server behind a line. */
final class RedisReceiverFixture implements ReceiverFixture {

  private static final String STREAM = "received";
  private static final String GROUP = "stock";
  private static final Duration REDELIVERED_AFTER = Duration.ofSeconds(3);

  private final ProxiedRedis redis;
  private @Nullable RedisFuzz fuzz;

  RedisReceiverFixture(ProxiedRedis redis) {
    this.redis = redis;
    new RedisGroup(STREAM, GROUP, Duration.ofSeconds(1)).create(redis.observer());
  }

  @Override
  public boolean receivesWhileItWaits() {
    return false;
  }

  @Override
  public Publisher publisher() {
    return RedisPublisher.to(redis.uri());
  }

  @Override
  public String topic() {
    return STREAM;
  }

  @Override
  public RunningReceiver start(ReceiverSetup setup) {
    RedisReceiver receiver =
        RedisReceiver.of(redis.uri(), STREAM, GROUP)
            .takeOverAfter(REDELIVERED_AFTER)
            .options(setup.options())
            .listener(setup.listener());
    @Nullable Consumer<String> unreadable = setup.unreadable();
    if (unreadable != null) {
      receiver = receiver.unreadable((place, payload, reason) -> unreadable.accept(reason));
    }
    return receiver.start(setup.handler());
  }

  @Override
  public Duration redeliversWithin() {
    return REDELIVERED_AFTER.plusSeconds(1);
  }

  @Override
  public void sendForeign(byte[] payload) {
    redis.observer().xadd(STREAM, Map.of(RedisBinding.PAYLOAD, payload));
  }

  @Override
  public Map<String, Runnable> strangers() {
    return Map.of(
        "no CloudEvent",
        () -> sendForeign(new byte[] {1}),
        "larger than a message may be",
        () -> sendForeign(new byte[(64 << 20) + 1]));
  }

  @Override
  public boolean sendFuzz(Fuzz given) {
    if (fuzz == null) {
      fuzz = new RedisFuzz(redis.server.port());
    }
    return fuzz.send(STREAM, given);
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public void takeAway() {
    redis.line.refuse();
  }

  @Override
  public void bringBack() {
    redis.line.pass();
  }

  @Override
  public void crash() {
    redis.server.kill();
    redis.server.restart();
  }

  @Override
  public void close() {
    if (fuzz != null) {
      fuzz.close();
    }
    redis.line.pass();
    redis.observer().del(STREAM);
  }
}
