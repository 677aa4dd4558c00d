// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.contracts.DatabaseFixture;
import io.outledger.contracts.OperatorContract;

final class SqliteOperatorIT extends OperatorContract {

  @Override
  protected DatabaseFixture openFixture() {
    return new SqliteDatabaseIT.Fixture(TestSqlite.empty());
  }
}
