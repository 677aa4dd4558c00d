// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

final class MemoryReceiverContractTest extends ReceiverContract {

  @Override
  protected ReceiverFixture openFixture() {
    return new MemoryReceiverFixture();
  }
}
