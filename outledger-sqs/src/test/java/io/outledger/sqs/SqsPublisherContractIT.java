// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;

final class SqsPublisherContractIT extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    return new SqsFixture(SharedElasticMq.newFifoName());
  }
}
