// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import io.outledger.contracts.PublisherContract;
import io.outledger.contracts.PublisherFixture;

final class MailPublisherContractIT extends PublisherContract {

  @Override
  protected PublisherFixture openFixture() {
    return new MailFixture();
  }
}
