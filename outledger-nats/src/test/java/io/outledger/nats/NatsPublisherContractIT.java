// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NatsPublisherContractIT extends PublisherContract {

  private final ProxiedNats nats = ProxiedNats.start("");

  @Override
  protected PublisherFixture openFixture() {
    try {
      return new NatsFixture(nats);
    } catch (Exception e) {
      throw new AssertionError("cannot create a stream", e);
    }
  }

  @AfterAll
  void close() {
    nats.close();
  }
}
