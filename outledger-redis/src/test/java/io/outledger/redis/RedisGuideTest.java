// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import org.junit.jupiter.api.Test;

/** The programs of docs/redis.md. */
final class RedisGuideTest {

  private static RedisURI uri(char[] password) {
    RedisURI redis =
        RedisURI.builder()
            .withHost("redis-1")
            .withPort(6379)
            .withSsl(true)
            .withAuthentication("shop", password)
            .build();

    Publisher publisher =
        RedisPublisher.to(redis).source("/shop/orders").streams(topic -> "shop:" + topic);
    assertThat(publisher).hasToString("RedisPublisher[redis-1:6379]");
    return redis;
  }

  private static void receive(RedisURI redis, BatchHandler handler) {
    RunningReceiver receiver = RedisReceiver.of(redis, "shop:orders", "inventory").start(handler);
    assertThat(receiver.isRunning()).isTrue();
    receiver.close();
  }

  @Test
  void programsOfThePageRunWithoutAServer() {
    receive(uri("secret".toCharArray()), batch -> {});
  }
}
