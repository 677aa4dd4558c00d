// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.contracts.ReceiverContract;
import io.outledger.contracts.ReceiverFixture;

final class JmsReceiverContractIT extends ReceiverContract {

  @Override
  protected ReceiverFixture openFixture() {
    return new JmsFixture();
  }
}
