// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.outledger.contracts.ReceiverContract;
import io.outledger.contracts.ReceiverFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NatsReceiverContractIT extends ReceiverContract {

  private final ProxiedNats nats = ProxiedNats.start("");

  @Override
  protected ReceiverFixture openFixture() {
    try {
      return new NatsReceiverFixture(nats);
    } catch (Exception e) {
      throw new AssertionError("cannot create a stream", e);
    }
  }

  @AfterAll
  void close() {
    nats.close();
  }
}
