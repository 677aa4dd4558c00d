// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

final class HandlerPublisherContractTest extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    return new HandlerFixture();
  }
}
