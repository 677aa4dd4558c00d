// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;

final class RabbitPublisherContractIT extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    return new RabbitFixture();
  }
}
