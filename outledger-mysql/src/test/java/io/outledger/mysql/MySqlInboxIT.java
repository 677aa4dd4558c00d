// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.contracts.InboxContract;
import io.outledger.contracts.InboxFixture;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;

/** The whole contract takes long; in {@code ./verify} it is tried on MariaDB. */
@Tag("long")
final class MySqlInboxIT extends InboxContract<Connection> {

  @Override
  protected InboxFixture<Connection> openFixture() {
    return new MySqlInboxFixture(TestDatabase.onMySql());
  }
}
