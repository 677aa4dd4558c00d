// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RedisPublisherContractIT extends PublisherContract {

  private final ProxiedRedis redis = ProxiedRedis.start();

  @Override
  protected PublisherFixture openFixture() {
    return new RedisFixture(redis);
  }

  @AfterAll
  void close() {
    redis.close();
  }
}
