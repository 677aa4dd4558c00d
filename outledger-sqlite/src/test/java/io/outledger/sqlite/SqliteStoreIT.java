// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.contracts.StoreContract;
import io.outledger.contracts.StoreFixture;

final class SqliteStoreIT extends StoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new SqliteStoreFixture();
  }
}
