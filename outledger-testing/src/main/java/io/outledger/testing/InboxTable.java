// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.InboxId;
import io.outledger.inbox.InboxStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** An in-memory ledger's inbox, with a unique key as a database has it. */
final class InboxTable implements InboxStore<InMemoryTransaction> {

  private record Row(String consumer, InboxId id) {}

  private final InMemoryLedger ledger;
  private final Set<Row> committed = new HashSet<>();
  private final Map<Row, InMemoryTransaction> uncommitted = new HashMap<>();

  InboxTable(InMemoryLedger ledger) {
    this.ledger = ledger;
  }

  /** In the ids' order, so that two batches never wait for each other. */
  @Override
  public Set<InboxId> insert(InMemoryTransaction transaction, String consumer, Set<InboxId> ids) {
    Set<InboxId> inserted = new LinkedHashSet<>();
    synchronized (ledger) {
      transaction.write();
      for (InboxId id : new TreeSet<>(ids)) {
        if (insert(transaction, new Row(consumer, id))) {
          inserted.add(id);
        }
      }
    }
    return inserted;
  }

  private boolean insert(InMemoryTransaction transaction, Row row) {
    InMemoryTransaction holder = uncommitted.get(row);
    while (holder != null && !holder.equals(transaction)) {
      awaitEndOf(holder, row);
      transaction.write();
      holder = uncommitted.get(row);
    }
    if (holder != null || committed.contains(row)) {
      return false;
    }
    uncommitted.put(row, transaction);
    return true;
  }

  private void awaitEndOf(InMemoryTransaction holder, Row row) {
    if (holder.beganOnThisThread()) {
      throw new StoreException(
          ErrorCode.STORE_FAILED,
          "id "
              + row.id().id()
              + " is being inserted by another transaction of this thread, so this thread would"
              + " wait for itself; end that transaction first");
    }
    try {
      ledger.wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(
          ErrorCode.STORE_FAILED,
          "interrupted while another transaction was inserting id " + row.id().id(),
          e);
    }
  }

  void end(InMemoryTransaction transaction, boolean commit) {
    Set<Row> mine = new HashSet<>();
    uncommitted.forEach(
        (row, holder) -> {
          if (holder.equals(transaction)) {
            mine.add(row);
          }
        });
    uncommitted.keySet().removeAll(mine);
    if (commit) {
      committed.addAll(mine);
    }
  }

  InboxTable copy() {
    InboxTable copy = new InboxTable(ledger);
    copy.committed.addAll(committed);
    return copy;
  }

  void become(InboxTable other) {
    committed.clear();
    committed.addAll(other.committed);
  }

  int size() {
    return committed.size();
  }
}
