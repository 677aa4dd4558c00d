// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.contracts.ReceiverContract;
import io.outledger.contracts.ReceiverFixture;

final class PulsarReceiverContractIT extends ReceiverContract {

  @Override
  protected ReceiverFixture openFixture() {
    return new PulsarFixture();
  }
}
