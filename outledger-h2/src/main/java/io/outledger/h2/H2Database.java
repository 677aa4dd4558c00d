// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

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
import javax.sql.DataSource;

/** Every promise, as H2 keeps it, for the tables of one schema. */
final class H2Database implements Database {

  private final Tables tables;
  private final LedgerAppender appender;
  private final KeyLocks keyLocks;
  private final InboxTable inbox;
  private final ReceivedTable received;

  H2Database(Tables tables) {
    this.tables = tables;
    this.appender = new AppendStatement(tables);
    this.keyLocks = new KeyRows(tables);
    this.inbox = new H2Inbox(tables);
    this.received = new H2Received(tables, inbox);
  }

  @Override
  public LedgerSchema schema() {
    return new H2Schema(tables);
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
    return connection -> {};
  }

  @Override
  public SqlErrors errors() {
    return H2Errors.TABLE;
  }

  @Override
  public RelayStore relayStore(DataSource dataSource, RelaySubscription subscription) {
    return new H2RelayStore(dataSource, tables, subscription);
  }

  @Override
  public SubscriptionStore subscriptions(DataSource dataSource) {
    return new H2Subscriptions(dataSource, tables);
  }

  @Override
  public ParkedStore parked(DataSource dataSource) {
    return new ParkedRequests(dataSource, tables);
  }

  @Override
  public RetentionStore retention(DataSource dataSource) {
    return new H2Retention(dataSource, tables);
  }

  @Override
  public StatusStore status(DataSource dataSource) {
    return new StatusTable(dataSource, tables);
  }
}
