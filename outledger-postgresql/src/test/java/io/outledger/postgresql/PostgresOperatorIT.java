// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.contracts.DatabaseFixture;
import io.outledger.contracts.OperatorContract;

final class PostgresOperatorIT extends OperatorContract {

  @Override
  protected DatabaseFixture openFixture() {
    return new PostgresDatabaseIT.Fixture(TestDatabase.empty());
  }
}
