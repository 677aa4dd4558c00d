// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.CursorKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.UUID;

/** What handlers remember, where the database can compute the hash of a message. Thread-safe. */
public final class HandlersMemoryBySql implements HandlersMemory {

  private final LedgerTables tables;
  private final Texts texts;
  private final String subscription;

  /**
   * Statements for the inbox records of a subscription's transactional handlers. Those of messages
   * that are read again have the parameters subscription, lowest hash, subscription, inbox source.
   * Of a message that the ledger does not have any more, the record is not among them. See {@link
   * io.outledger.jdbc.spi.InboxKey}: a hash begins with the position.
   *
   * @param count counts those of messages that are read again
   * @param forget deletes those of messages that are read again
   * @param forgetAll deletes all; one parameter, the subscription
   */
  public record Texts(String count, String forget, String forgetAll) {}

  /** Creates it, without I/O. */
  public HandlersMemoryBySql(LedgerTables tables, Texts texts, CursorKey key) {
    this.tables = tables;
    this.texts = texts;
    this.subscription = key.subscription();
  }

  @Override
  public long count(Connection connection, OptionalLong above) throws SQLException {
    return above.isEmpty() ? 0 : bound(connection, texts.count(), above.getAsLong()).number();
  }

  @Override
  public long forget(Connection connection, OptionalLong above) throws SQLException {
    return above.isEmpty() ? 0 : bound(connection, texts.forget(), above.getAsLong()).update();
  }

  @Override
  public void forgetAll(Connection connection) throws SQLException {
    Sql.in(tables, connection, texts.forgetAll(), subscription).update();
  }

  private Sql bound(Connection connection, String sql, long above) {
    return Sql.in(
        tables,
        connection,
        sql,
        subscription,
        new UUID(above + 1, 0),
        subscription,
        Received.inboxSourceOf(subscription));
  }
}
