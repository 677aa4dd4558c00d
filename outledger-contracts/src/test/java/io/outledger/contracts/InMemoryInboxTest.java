// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.inbox.InboxStore;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.InMemoryTransaction;
import io.outledger.testing.SettableClock;

final class InMemoryInboxTest extends InboxContract<InMemoryTransaction> {

  @Override
  protected InboxFixture<InMemoryTransaction> openFixture() {
    return new Fixture();
  }

  private static final class Fixture implements InboxFixture<InMemoryTransaction> {

    private final InMemoryLedger ledger = new InMemoryLedger(new SettableClock());

    @Override
    public InboxStore<InMemoryTransaction> store() {
      return ledger.inboxStore();
    }

    @Override
    public InMemoryTransaction begin() {
      return ledger.begin();
    }

    @Override
    public void commit(InMemoryTransaction transaction) {
      transaction.commit();
    }

    @Override
    public void rollback(InMemoryTransaction transaction) {
      transaction.rollback();
    }

    @Override
    public void close() {}
  }
}
