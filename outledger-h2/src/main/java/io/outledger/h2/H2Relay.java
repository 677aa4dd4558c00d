// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

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

/** What H2 does whole for a relay. Each story has its class. Used by one thread. */
final class H2Relay extends RelayStoriesBySql<Session> {

  private final DataSource dataSource;
  private final Tables tables;
  private final LedgerPoll poll;
  private final Writers writers;
  private final Blockers blockers;

  /** Creates it, without I/O. */
  H2Relay(DataSource dataSource, Tables tables, RelaySubscription subscription) {
    super(
        tables,
        subscription.key(),
        new LedgerPreconditions(tables, subscription.key()),
        tables.openPositions(subscription.key()),
        LedgerTexts.RELAY);
    CursorKey key = subscription.key();
    this.dataSource = dataSource;
    this.tables = tables;
    this.writers = new Writers(tables);
    this.poll =
        new LedgerPoll(tables, key, writers, new DeclarationTable(subscription.reader(), tables));
    this.blockers = new Blockers(tables);
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
  protected long witness(Session session, Save saved) throws SQLException {
    writers.look(session.connection());
    return writers.witness();
  }

  @Override
  public Set<Long> writers(Session session) throws SQLException {
    writers.look(session.connection());
    return writers.numbers();
  }

  @Override
  public String blockers(Session session) throws SQLException {
    return blockers.describe(session.connection());
  }
}
