// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;

final class PulsarPublisherContractIT extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    return new PulsarFixture();
  }
}
