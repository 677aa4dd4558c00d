// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.Message;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.InMemoryTransaction;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.UUID;

/** A ledger in memory, with a clock of its own. */
final class InMemoryStoreFixture implements StoreFixture {

  private final SettableClock clock = new SettableClock();
  private final InMemoryLedger ledger = new InMemoryLedger(clock);

  @Override
  public RelayStore open(String subscription, Start start) {
    return ledger.relayStore(subscription, start);
  }

  @Override
  public LedgerWriter begin() {
    return new Writer(ledger.begin());
  }

  @Override
  public LedgerWriter beginElsewhere() {
    InMemoryTransaction transaction = ledger.begin();
    transaction.writeElsewhere();
    return new Writer(transaction);
  }

  @Override
  public void letPass(Duration time) {
    clock.advance(time);
  }

  @Override
  public void removeOldCursorRows(String subscription) {
    // All rows of a clock that stands still are of one second.
    try (RelayStore store = open(subscription, Start.EARLIEST)) {
      store.purgeCursor(store.look().n());
    }
  }

  @Override
  public void requestRetry(String subscription, long position, String route) {
    ledger.subscription(subscription).requestRetry(position, route);
  }

  @Override
  public void requestDiscard(String subscription, long position, String route) {
    ledger.subscription(subscription).requestDiscard(position, route);
  }

  @Override
  public void move(String subscription, Start start) {
    ledger.subscription(subscription).move(start);
  }

  @Override
  public void skip(String subscription, Start start) {
    ledger.subscription(subscription).skip(start);
  }

  @Override
  public void delete(String subscription) {
    ledger.delete(subscription);
  }

  @Override
  public void pause(String subscription, PauseScope scope, String by, String reason) {
    ledger.subscription(subscription).pause(scope, by, reason);
  }

  @Override
  public void resume(String subscription, PauseScope scope) {
    ledger.subscription(subscription).resume(scope);
  }

  @Override
  public void erase(UUID id) {
    ledger.messages().stream()
        .filter(each -> each.message().id().equals(id))
        .forEach(each -> ledger.erase(each.position()));
  }

  @Override
  public void replay(String subscription, String route, long from, long to) {
    ledger.subscription(subscription).replay(route, from, to);
  }

  @Override
  public void emptyLedger() {
    ledger.truncate();
  }

  @Override
  public void makeUnreadable(long position) {
    ledger.makeUnreadable(position);
  }

  @Override
  public void close() {}

  private record Writer(InMemoryTransaction transaction) implements LedgerWriter {

    @Override
    public long append(Message message) {
      return transaction.append(message).get(0);
    }

    @Override
    public void commit() {
      transaction.commit();
    }

    @Override
    public void rollback() {
      transaction.rollback();
    }
  }
}
