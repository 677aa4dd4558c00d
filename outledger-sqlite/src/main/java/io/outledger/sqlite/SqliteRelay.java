// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.sql.RelayStoriesBySql;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.Save;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** What SQLite does whole for a relay. Each story has its class. Used by one thread. */
final class SqliteRelay extends RelayStoriesBySql<Session> {

  static final String BLOCKERS =
      "none: SQLite lets one transaction write at a time, and none can fill a hole";

  private final DataSource dataSource;
  private final Tables tables;
  private final LedgerPoll poll;

  /** Creates it, without I/O. */
  SqliteRelay(DataSource dataSource, Tables tables, RelaySubscription subscription) {
    super(
        tables,
        subscription.key(),
        new LedgerPreconditions(tables, subscription.key()),
        tables.openPositions(subscription.key()),
        LedgerTexts.RELAY);
    CursorKey key = subscription.key();
    this.dataSource = dataSource;
    this.tables = tables;
    this.poll = new LedgerPoll(tables, key, new DeclarationTable(subscription.reader(), tables));
  }

  @Override
  public Session open() throws SQLException {
    return Session.open(dataSource, tables);
  }

  @Override
  public Page poll(Session session, PollRequest request) throws SQLException {
    return poll.poll(session, request);
  }

  @Override
  protected long witness(Session session, Save saved) {
    return poll.witness();
  }

  @Override
  public Set<Long> writers(Session session) {
    return Set.of();
  }

  @Override
  public String blockers(Session session) {
    return BLOCKERS;
  }
}
