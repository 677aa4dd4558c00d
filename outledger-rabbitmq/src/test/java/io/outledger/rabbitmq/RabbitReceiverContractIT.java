// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import io.outledger.contracts.ReceiverContract;
import io.outledger.contracts.ReceiverFixture;

final class RabbitReceiverContractIT extends ReceiverContract {

  @Override
  protected ReceiverFixture openFixture() {
    return new RabbitReceiverFixture();
  }
}
