// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

final class HandlerPublisherContractTest extends CutLineContract {

  @Override
  protected PublisherFixture openFixture() {
    return new HandlerFixture();
  }
}
