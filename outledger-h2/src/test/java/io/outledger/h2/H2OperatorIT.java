// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.contracts.DatabaseFixture;
import io.outledger.contracts.OperatorContract;

final class H2OperatorIT extends OperatorContract {

  @Override
  protected DatabaseFixture openFixture() {
    return new H2DatabaseIT.Fixture(TestH2.empty());
  }
}
