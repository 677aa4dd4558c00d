// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the members of one consumer have declared, as one of them sees it: a message that another
 * member handles, and this one does not, is not passed over. Thread-safe.
 */
final class ConsumerDeclarations {

  private static final Logger LOG = LoggerFactory.getLogger(ConsumerDeclarations.class);

  private final String consumer;
  private final Database database;
  private final JdbcTransactions transactions;
  private final DeclarationTable table;
  private final Declaring own;
  private final NewConsumers newConsumers;
  private final Set<Declaration> told = ConcurrentHashMap.newKeySet();
  private final SeenDeclarations seen;
  private final TimeSource time = TimeSource.system();
  private volatile long lookedAt = time.nanoTime();

  ConsumerDeclarations(
      String consumer,
      Database database,
      JdbcTransactions transactions,
      Declaring own,
      NewConsumers newConsumers) {
    this.consumer = consumer;
    this.database = database;
    this.transactions = transactions;
    this.table = database.declarations(DeclarationTable.Reader.consumer(consumer, ""));
    this.own = own;
    this.seen = new SeenDeclarations(own);
    this.newConsumers = newConsumers;
  }

  /**
   * Declares what this member handles as soon as its handler is made, and ends what it replaces: it
   * may get no message for long, while another member passes over what only this one handles. A
   * consumer that was renamed has nothing to declare in its old name; it is refused what it
   * receives.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  void declareFirst() {
    try {
      declare(own);
    } catch (ConfigurationException e) {
      if (e.code() != ErrorCode.RENAMED) {
        throw e;
      }
    }
  }

  /**
   * Declares what this member handles, once, before it receives anything, and again where somebody
   * has ended it.
   *
   * @throws io.outledger.StoreException if the database failed; the next call tries again
   */
  void declare() {
    declare(own.again());
  }

  private void declare(Declaring declaring) {
    SeenDeclarations.Look before = seen.last();
    if (!before.isDeclared()) {
      newConsumers.look(consumer, transactions);
      change(table.declaring(declaring));
      seen.declared(before);
    }
  }

  private void change(DeclarationTable.Change change) {
    try {
      DeclarationTable.untilNobodyElseDoes(
          database.errors(), () -> transactions.callHandling(change::on));
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "declare what consumer " + consumer + " handles");
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
        : transactions.callHandling(connection -> others(connection, messages));
  }

  /** The same in a transaction that is open. */
  List<Optional<Declaration>> others(Connection connection, List<Received> messages) {
    try {
      Set<Declaration> lacked = current(connection).lackedBy(own);
      return messages.stream().map(message -> among(lacked, message)).toList();
    } catch (SQLException e) {
      throw WriteFailure.of(database.errors(), e, "read what consumer " + consumer + " handles");
    }
  }

  /**
   * Looks whether what this member has declared still holds. If not, the next call of {@link
   * #declare} declares it again.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-037} if the consumer was renamed: all
   *     that this member is about to do in its name must not be committed
   */
  void look(Connection connection) throws SQLException {
    current(connection);
  }

  /** The same for a member that may handle nothing but its own for long: once a second at most. */
  void lookNowAndThen(Connection connection) throws SQLException {
    long now = time.nanoTime();
    if (now - lookedAt >= SeenDeclarations.AGAIN.toNanos()) {
      lookedAt = now;
      look(connection);
    }
  }

  private SeenDeclarations.Look current(Connection connection) throws SQLException {
    SeenDeclarations.Look before = seen.last();
    long now = time.nanoTime();
    if (before.isOf(table.revision(connection), now)) {
      return before;
    }
    table.requireName(connection);
    SeenDeclarations.Look look =
        seen.shown(before, table.currentAndEndedWithin(connection, SeenDeclarations.GRACE), now);
    told.retainAll(look.lackedBy(own));
    return look;
  }

  /** Says, once while it is declared, that this member parks what only another one handles. */
  void tellLacked(Declaration lacked) {
    if (told.add(lacked)) {
      LOG.warn(
          "consumer {}: this instance has no handler for what another one has declared ({}), so it"
              + " parks such messages until one that has it runs. Start one, or end the declaration"
              + " if its handler is gone for good",
          Printable.value(consumer),
          Printable.value(lacked));
    }
  }

  private static Optional<Declaration> among(Set<Declaration> lacked, Received message) {
    return lacked.stream()
        .filter(each -> each.mayTake(message.topic(), message.type(), message.version()))
        .findFirst();
  }
}
