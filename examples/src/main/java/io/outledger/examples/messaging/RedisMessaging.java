// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.messaging;

import io.lettuce.core.RedisURI;
import io.outledger.examples.Settings;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.redis.RedisPublisher;
import io.outledger.redis.RedisReceiver;
import java.time.Duration;

/** Redis: a message's topic is a stream, and each service is a consumer group of it. */
record RedisMessaging(Settings settings) implements Messaging {

  private static final Duration TAKE_OVER = Duration.ofSeconds(5);

  @Override
  public Publisher publisher(String source) {
    return RedisPublisher.to(uri()).source(source);
  }

  /** A service that was killed comes back as another member, and takes over what it had. */
  @Override
  public RunningReceiver receive(String topic, String consumer, BatchHandler handler) {
    return RedisReceiver.of(uri(), topic, consumer).takeOverAfter(TAKE_OVER).start(handler);
  }

  private RedisURI uri() {
    return RedisURI.create(settings.text("redis.url"));
  }
}
