// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import io.outledger.contracts.InboxContract;
import io.outledger.contracts.InboxFixture;
import java.sql.Connection;

final class MariaDbInboxIT extends InboxContract<Connection> {

  @Override
  protected InboxFixture<Connection> openFixture() {
    return new MySqlInboxFixture(TestDatabase.onMariaDb());
  }
}
