// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import io.outledger.contracts.CutLineContract;
import io.outledger.contracts.PublisherFixture;

final class BinaryWebhookContractIT extends CutLineContract {

  @Override
  protected PublisherFixture openFixture() {
    return new WebhookFixture(WebhookEndpoint::binary);
  }
}
