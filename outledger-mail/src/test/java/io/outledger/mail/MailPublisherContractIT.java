// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import io.outledger.contracts.CutLineContract;
import io.outledger.contracts.PublisherFixture;

final class MailPublisherContractIT extends CutLineContract {

  @Override
  protected PublisherFixture openFixture() {
    return new MailFixture();
  }
}
