// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.contracts.StoreContract;
import io.outledger.contracts.StoreFixture;

final class MariaDbStoreIT extends StoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new MySqlStoreFixture(TestDatabase.onMariaDb());
  }
}
