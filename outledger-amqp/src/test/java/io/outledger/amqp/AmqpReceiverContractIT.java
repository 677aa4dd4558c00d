// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.contracts.ReceiverContract;
import io.outledger.contracts.ReceiverFixture;

final class AmqpReceiverContractIT extends ReceiverContract {

  @Override
  protected ReceiverFixture openFixture() {
    return new AmqpFixture();
  }
}
