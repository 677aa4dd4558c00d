// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.contracts.DatabaseContract;
import io.outledger.contracts.DatabaseFixture;
import org.junit.jupiter.api.Tag;

/** The whole contract takes long; in {@code ./verify} it is tried on MariaDB. */
@Tag("long")
final class MySqlDatabaseIT extends DatabaseContract {

  @Override
  protected DatabaseFixture openFixture() {
    return TestFixture.empty(TestDatabase.onMySql());
  }
}
