// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.contracts.DatabaseFixture;
import io.outledger.contracts.OperatorContract;
import org.junit.jupiter.api.Tag;

/** The whole contract takes long; in {@code ./verify} it is tried on MariaDB. */
@Tag("long")
final class MySqlOperatorIT extends OperatorContract {

  @Override
  protected DatabaseFixture openFixture() {
    return TestFixture.withRightsOfARelay(TestDatabase.onMySql());
  }
}
