// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxStore;
import io.outledger.jdbc.spi.InboxProof;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** The table alone, in transactions of a test's own. */
final class InboxOfTables implements InboxStore<Connection> {

  private final PostgresInbox table = new PostgresInbox(new Tables(Tables.DEFAULT_SCHEMA));

  @Override
  public Set<InboxId> insert(Connection transaction, String consumer, Set<InboxId> ids) {
    if (ids.isEmpty()) {
      return Set.of();
    }
    try {
      return table.insert(transaction, consumer, ids).map(InboxProof::ids).orElse(Set.of());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
