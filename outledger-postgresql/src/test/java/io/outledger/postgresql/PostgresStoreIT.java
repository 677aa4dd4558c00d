// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.contracts.EachWriterStoreContract;
import io.outledger.contracts.StoreFixture;

class PostgresStoreIT extends EachWriterStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new PostgresStoreFixture(StoreDatabase.create());
  }
}
