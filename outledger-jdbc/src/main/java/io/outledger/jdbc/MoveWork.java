// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.jdbc.admin.Moved;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.Fenced;
import io.outledger.jdbc.spi.LedgerEdge;
import io.outledger.jdbc.spi.MoveRequest;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.SubscriptionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Moves a subscription back or has it skip, all partitions at once: walks through the ledger first,
 * if the start needs that.
 */
final class MoveWork implements RequestWork {

  private final SubscriptionStore store;
  private final OperatorTransactions transactions;
  private final Verb.OfPlace verb;
  private final Fenced fenced;
  private Optional<LedgerEdge> found = Optional.empty();

  MoveWork(
      SubscriptionStore store,
      OperatorTransactions transactions,
      Verb.OfPlace verb,
      Fenced fenced) {
    this.store = store;
    this.transactions = transactions;
    this.verb = verb;
    this.fenced = fenced;
  }

  String doing() {
    return "moving subscription " + Printable.value(verb.subscription());
  }

  /** Walks, without a lock. */
  void walk() {
    found = transactions.run(Kind.WALKS, doing(), transaction -> walk(transaction));
  }

  private Optional<LedgerEdge> walk(Connection transaction) throws SQLException {
    CursorKey first = store.cursors(transaction, verb.subscription()).get(0);
    return store.walk(transaction, first, verb.start());
  }

  /** Places it; empty if a purge has overtaken the walk. */
  Optional<Moved> place(Connection transaction) throws SQLException {
    return store.move(transaction, verb.subscription(), new MoveRequest(verb, found), fenced);
  }

  @Override
  public void prepare(RequestRow row) {
    walk();
  }

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    return place(transaction).map(done -> RequestStep.done(MovedText.of(done)));
  }
}
