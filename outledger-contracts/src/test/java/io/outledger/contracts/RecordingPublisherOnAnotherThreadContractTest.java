// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.publish.KeyOrder;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

final class RecordingPublisherOnAnotherThreadContractTest extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    ExecutorService another = Executors.newSingleThreadExecutor();
    return new RecordingFixture(KeyOrder.ONE_AT_A_TIME, another, another::shutdown);
  }
}
