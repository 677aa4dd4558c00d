// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;

final class AmqpPublisherContractIT extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    return new AmqpFixture();
  }
}
