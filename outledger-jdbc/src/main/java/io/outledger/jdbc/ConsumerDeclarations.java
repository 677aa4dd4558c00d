// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.store.Declaration;
import io.outledger.store.Declarations;
import io.outledger.store.Declaring;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the members of one consumer have declared, as one of them sees it: a message that another
 * member handles, and this one does not, is not passed over. Thread-safe.
 */
final class ConsumerDeclarations {

  private final String consumer;
  private final Database database;
  private final JdbcTransactions transactions;
  private final DeclarationTable table;
  private final Declaring own;
  private volatile boolean declared;
  private volatile Declarations known = Declarations.NONE;

  ConsumerDeclarations(
      String consumer, Database database, JdbcTransactions transactions, Set<Declaration> own) {
    this.consumer = consumer;
    this.database = database;
    this.transactions = transactions;
    this.table = database.declarations(DeclarationTable.Reader.consumer(consumer, ""));
    this.own = new Declaring(own, Set.of());
  }

  /**
   * Declares what this member handles, once, before it receives anything.
   *
   * @throws io.outledger.StoreException if the database failed; the next call tries again
   */
  void declare() {
    if (!declared) {
      change(table.declaring(own));
      declared = true;
    }
  }

  /** Ends a declaration, and returns whether it was there. */
  boolean end(Declaration ended) {
    return change(table.ending(ended));
  }

  private boolean change(DeclarationTable.Change change) {
    try {
      return DeclarationTable.untilNobodyElseDoes(
          database.errors(), () -> transactions.callNew(change::on));
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "declare what consumer " + consumer + " handles");
    }
  }

  /** Returns what all members have declared. */
  Set<Declaration> all() {
    try {
      return transactions.callNew(table::current).current().keySet();
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "read what consumer " + consumer + " handles");
    }
  }

  /**
   * Returns for which declaration of another member a message is to be parked that this member does
   * not handle. Asks the database each time: the declaration may be newer than the last message.
   *
   * @param messages received before this call, none of which this member handles
   * @return one for each message, in order; empty for one that nobody has declared
   */
  List<Optional<Declaration>> others(List<Received> messages) {
    return messages.isEmpty()
        ? List.of()
        : transactions.callNew(connection -> others(connection, messages));
  }

  /** The same in a transaction that is open. */
  List<Optional<Declaration>> others(Connection connection, List<Received> messages) {
    try {
      List<Declaration> lacked =
          current(connection).current().keySet().stream()
              .filter(each -> !own.covers(each))
              .toList();
      return messages.stream().map(message -> among(lacked, message)).toList();
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "read what consumer " + consumer + " handles");
    }
  }

  private Declarations current(Connection connection) throws SQLException {
    Declarations last = known;
    if (table.revision(connection) != last.revision()) {
      last = table.current(connection);
      known = last;
    }
    return last;
  }

  private static Optional<Declaration> among(List<Declaration> lacked, Received message) {
    return lacked.stream()
        .filter(each -> each.mayTake(message.topic(), message.type(), message.version()))
        .findFirst();
  }
}
