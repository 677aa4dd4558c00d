// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.contracts.CutLineContract;
import io.outledger.contracts.PublisherFixture;

final class AmqpPublisherContractIT extends CutLineContract {

  @Override
  protected PublisherFixture openFixture() {
    return new AmqpFixture();
  }
}
