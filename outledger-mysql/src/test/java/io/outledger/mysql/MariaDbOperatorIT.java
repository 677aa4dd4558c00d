// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.contracts.DatabaseFixture;
import io.outledger.contracts.OperatorContract;

final class MariaDbOperatorIT extends OperatorContract {

  @Override
  protected DatabaseFixture openFixture() {
    return TestFixture.withRightsOfARelay(TestDatabase.onMariaDb());
  }
}
