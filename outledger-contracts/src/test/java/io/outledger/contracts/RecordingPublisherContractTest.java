// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.publish.KeyOrder;
import io.outledger.testing.RecordingPublisher;

final class RecordingPublisherContractTest extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    return new RecordingFixture(
        new RecordingPublisher(KeyOrder.PIPELINED, Runnable::run), () -> {});
  }
}
