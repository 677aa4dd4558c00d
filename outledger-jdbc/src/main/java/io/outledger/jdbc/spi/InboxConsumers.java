// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.inbox.InboxId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The names behind the consumer numbers of inbox records, in the table {@code
 * outledger_inbox_consumer}, the same on every database. Thread-safe.
 *
 * <p>A number is computed from the first name, so no two processes can differ about it, and of a
 * consumer that was never renamed whether a message is known does not depend on this table: a
 * purge, a move, a deletion and people read it. Who first remembers something writes the name, in
 * the same transaction. Two at once write a row each, and neither waits: a row is of a consumer and
 * of a transaction.
 *
 * <p>A consumer that was renamed keeps its number, and the hashes of its records their meaning: a
 * process that has the old name yet, and one that has the new one, write the same.
 */
public final class InboxConsumers {

  /** More names are looked up each time. */
  private static final int KEPT_MAX = 10_000;

  // A range of the primary key: few rows.
  private static final String FIND =
      """
      SELECT c.told_in, c.consumer_no, c.hashed_consumer, c.hashed_source
        FROM {schema}.outledger_inbox_consumer c
       WHERE c.consumer = ? AND c.subscription = ?\
      """;

  private static final String TELL =
      """
      INSERT INTO {schema}.outledger_inbox_consumer (consumer, subscription, told_in, consumer_no)
      VALUES (?, ?, ?, ?)\
      """;

  private final SqlNaming naming;
  private final String find;
  private final String tell;
  private final Map<Name, InboxName> told = new ConcurrentHashMap<>();

  private record Name(String consumer, String subscription) {}

  private record Row(String toldIn, InboxName name, boolean isRenamed) {}

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public InboxConsumers(SqlNaming naming) {
    this.naming = Require.nonNull("naming", naming);
    this.find = naming.in(FIND);
    this.tell = naming.in(TELL);
  }

  /**
   * Returns the keys by which a consumer remembers some ids.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-037} if the consumer was renamed, and
   *     this is its old name
   * @throws SQLException if the database failed: the caller rolls back
   */
  public InboxKeys keys(Connection transaction, String consumer, Collection<InboxId> ids)
      throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("consumer", consumer);
    Map<String, InboxName> names = new HashMap<>();
    for (InboxId id : Require.nonNull("ids", ids)) {
      Name name = new Name(consumer, InboxKey.subscriptionOf(id));
      if (!names.containsKey(name.subscription())) {
        names.put(name.subscription(), name(transaction, name));
      }
    }
    return InboxKeys.of(names, ids);
  }

  private InboxName name(Connection transaction, Name name) throws SQLException {
    InboxName kept = told.get(name);
    if (kept != null) {
      return kept;
    }
    List<Row> rows = find(transaction, name);
    if (rows.isEmpty()) {
      DeclarationTable.Reader reader = DeclarationTable.Reader.consumer(name.consumer(), "");
      new DeclarationTable(reader, naming).requireName(transaction);
      return InboxName.first(name.consumer(), name.subscription());
    }
    return nameOf(rows);
  }

  // A process that had the old name may have told it, beside the row that was renamed.
  private static InboxName nameOf(List<Row> rows) {
    return rows.stream().filter(Row::isRenamed).findFirst().orElse(rows.get(0)).name();
  }

  /**
   * Makes sure that the names of records are there once their transaction commits.
   *
   * @param transaction the connection of the transaction that has inserted the records
   * @param transactionId the database's id of that transaction
   * @param consumer whose records they are
   * @param keys of the records
   * @throws SQLException if the database failed: the caller rolls back
   */
  public void tell(Connection transaction, String transactionId, String consumer, InboxKeys keys)
      throws SQLException {
    Require.nonNull("transaction", transaction);
    Require.nonNull("transactionId", transactionId);
    Require.nonNull("consumer", consumer);
    Set<Name> names =
        Require.nonNull("keys", keys).all().stream()
            .map(key -> new Name(consumer, key.subscription()))
            .filter(name -> !told.containsKey(name))
            .collect(Collectors.toSet());
    for (Name name : names) {
      List<Row> rows = find(transaction, name);
      if (rows.isEmpty()) {
        tell(transaction, transactionId, name);
      } else if (isCommitted(transaction, transactionId, rows)) { // else it may still roll back
        keep(name, rows);
      }
    }
  }

  private List<Row> find(Connection transaction, Name name) throws SQLException {
    return ReceivedTableBySql.rows(
        transaction, find, row -> read(row, name), name.consumer(), name.subscription());
  }

  private static Row read(ResultSet row, Name name) throws SQLException {
    String hashed = row.getString(3);
    InboxName found =
        InboxName.first(name.consumer(), name.subscription())
            .hashedAs(row.getInt(2), hashed, row.getString(4));
    return new Row(row.getString(1), found, hashed != null);
  }

  private static boolean isCommitted(Connection transaction, String transactionId, List<Row> rows)
      throws SQLException {
    return rows.stream().anyMatch(row -> !row.toldIn().equals(transactionId))
        && transaction.getTransactionIsolation() != Connection.TRANSACTION_READ_UNCOMMITTED;
  }

  private void tell(Connection transaction, String transactionId, Name name) throws SQLException {
    ReceivedTableBySql.update(
        transaction,
        tell,
        name.consumer(),
        name.subscription(),
        transactionId,
        InboxKey.numberOf(name.consumer(), name.subscription()));
  }

  private void keep(Name name, List<Row> rows) {
    if (told.size() < KEPT_MAX) {
      told.put(name, nameOf(rows));
    }
  }
}
