// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.outledger.Message;
import io.outledger.contracts.PublisherFixture;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A stream of its own on a server behind a line that can be taken away. */
final class RedisFixture implements PublisherFixture {

  private static final AtomicInteger STREAMS = new AtomicInteger();

  private final ProxiedRedis redis;
  private final String stream = "contract-" + STREAMS.incrementAndGet();
  private final Publisher publisher;

  RedisFixture(ProxiedRedis redis) {
    this.redis = redis;
    this.publisher = RedisPublisher.to(redis.uri());
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return stream;
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    Await.until(
        "messages arrive",
        Duration.ofSeconds(30),
        () -> redis.messages(stream).stream().map(Received::id).toList().containsAll(awaited));
    return redis.messages(stream);
  }

  @Override
  public void takeAway() {
    redis.line.refuse();
  }

  @Override
  public void loseAnswers() {
    redis.line.swallowReplies();
  }

  @Override
  public void cutAt(String text) {
    redis.line.cutAt(text);
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
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  /** Its topic is a key that holds something else: it is Redis that says no. */
  @Override
  public Message unacceptable(String key) {
    redis.observer().set("text", new byte[] {'x'});
    return Message.to("text", "order.placed").key(key).build();
  }

  @Override
  public void close() {
    redis.line.pass();
    redis.observer().del(stream, "text");
  }
}
