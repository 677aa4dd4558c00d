// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.contracts.ReceiverContract;
import io.outledger.contracts.ReceiverFixture;

final class SqsReceiverContractIT extends ReceiverContract {

  @Override
  protected ReceiverFixture openFixture() {
    return new SqsFixture(SharedElasticMq.newFifoName());
  }
}
