// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.contracts.StoreContract;
import io.outledger.contracts.StoreFixture;
import org.junit.jupiter.api.Tag;

/** The whole contract takes long; in {@code ./verify} it is tried on MariaDB. */
@Tag("long")
final class MySqlStoreIT extends StoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new MySqlStoreFixture(TestDatabase.onMySql());
  }
}
