// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;

final class JmsPublisherContractIT extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    return new JmsFixture();
  }
}
