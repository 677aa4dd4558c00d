// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.InboxTable;
import io.outledger.jdbc.spi.KeyLocks;
import io.outledger.jdbc.spi.LedgerAppender;
import io.outledger.jdbc.spi.LedgerSchema;
import io.outledger.jdbc.spi.ParkedStore;
import io.outledger.jdbc.spi.ReceivedTable;
import io.outledger.jdbc.spi.RelaySubscription;
import io.outledger.jdbc.spi.RetentionStore;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.jdbc.spi.StatusStore;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.jdbc.spi.TransactionCheck;
import io.outledger.store.RelayStore;
import java.time.Duration;
import javax.sql.DataSource;

/** Every promise, as PostgreSQL keeps it, for the tables of one schema. */
final class PostgresDatabase implements Database {

  /**
   * How long one cursor row a second is kept, so that it can be said by when was published what.
   */
  static final Duration CURSOR_RETENTION = Duration.ofDays(7);

  private final Tables tables;
  private final LedgerAppender appender;
  private final KeyLocks keyLocks;
  private final InboxTable inbox;
  private final ReceivedTable received;

  PostgresDatabase(Tables tables) {
    this.tables = tables;
    this.appender = new AppendStatement(tables);
    this.keyLocks = new AdvisoryLocks(tables);
    PostgresInbox ids = new PostgresInbox(tables);
    this.inbox = ids;
    this.received = new PostgresReceived(tables, ids.forget());
  }

  @Override
  public LedgerSchema schema() {
    return new PostgresSchema(tables);
  }

  @Override
  public LedgerAppender appender() {
    return appender;
  }

  @Override
  public KeyLocks keyLocks() {
    return keyLocks;
  }

  @Override
  public InboxTable inbox() {
    return inbox;
  }

  @Override
  public ReceivedTable received() {
    return received;
  }

  @Override
  public DeclarationTable declarations(DeclarationTable.Reader reader) {
    return new DeclarationTable(reader, tables::in);
  }

  @Override
  public TransactionCheck transactionCheck() {
    return PostgresDriver::requireIntact;
  }

  @Override
  public SqlErrors errors() {
    return PostgresErrors.TABLE;
  }

  @Override
  public RelayStore relayStore(DataSource dataSource, RelaySubscription subscription) {
    return new PostgresRelayStore(dataSource, tables, subscription, CURSOR_RETENTION);
  }

  @Override
  public SubscriptionStore subscriptions(DataSource dataSource) {
    return new PostgresSubscriptions(dataSource, tables);
  }

  @Override
  public ParkedStore parked(DataSource dataSource) {
    return new ParkedRequests(dataSource, tables);
  }

  @Override
  public RetentionStore retention(DataSource dataSource) {
    return new PostgresRetention(dataSource, tables);
  }

  @Override
  public StatusStore status(DataSource dataSource) {
    return new StatusTable(dataSource, tables);
  }
}
