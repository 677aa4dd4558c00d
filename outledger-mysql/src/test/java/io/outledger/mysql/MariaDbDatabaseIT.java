// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.contracts.DatabaseContract;
import io.outledger.contracts.DatabaseFixture;

final class MariaDbDatabaseIT extends DatabaseContract {

  @Override
  protected DatabaseFixture openFixture() {
    return TestFixture.empty(TestDatabase.onMariaDb());
  }
}
