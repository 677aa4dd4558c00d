// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.contracts.StoreContract;
import io.outledger.contracts.StoreFixture;

class PostgresStoreIT extends StoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new PostgresStoreFixture(StoreDatabase.create());
  }
}
