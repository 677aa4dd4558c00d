// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.publish.KeyOrder;

final class RecordingPublisherContractTest extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    return new RecordingFixture(KeyOrder.PIPELINED, Runnable::run, () -> {});
  }
}
