// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;

final class StructuredWebhookContractIT extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    return new WebhookFixture(endpoint -> endpoint);
  }
}
