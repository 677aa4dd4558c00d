// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.contracts.CutLineContract;
import io.outledger.contracts.PublisherFixture;

final class PulsarPublisherContractIT extends CutLineContract {

  @Override
  protected PublisherFixture openFixture() {
    return new PulsarFixture();
  }
}
