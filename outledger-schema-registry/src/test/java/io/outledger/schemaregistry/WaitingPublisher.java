// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.publish.BlockingClient;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;

/** Nothing that it is handed begins. */
final class WaitingPublisher implements Publisher {

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new BlockingClient(
        task -> {}, (position, attempt, message) -> Outcome.PUBLISHED, outcomes);
  }
}
