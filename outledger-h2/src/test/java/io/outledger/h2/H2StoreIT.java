// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.contracts.EachWriterStoreContract;
import io.outledger.contracts.StoreFixture;

class H2StoreIT extends EachWriterStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new H2StoreFixture();
  }
}
