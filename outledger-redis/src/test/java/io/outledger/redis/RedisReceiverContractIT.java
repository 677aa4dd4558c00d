// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.outledger.contracts.ReceiverContract;
import io.outledger.contracts.ReceiverFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RedisReceiverContractIT extends ReceiverContract {

  private final ProxiedRedis redis = ProxiedRedis.start();

  @Override
  protected ReceiverFixture openFixture() {
    return new RedisReceiverFixture(redis);
  }

  @AfterAll
  void close() {
    redis.close();
  }
}
