// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.RelayCause;
import io.outledger.jdbc.spi.RelayStatus;
import io.outledger.jdbc.spi.SqlNaming;
import io.outledger.jdbc.spi.StatusStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The table in which relays announce what they are doing. Thread-safe. */
public final class StatusTable implements StatusStore {

  /** More instances than that of one subscription are forgotten, the oldest first. */
  private static final int INSTANCES_MAX = 100;

  // All: ranges of the primary key, which hold a row for each instance.
  private static final String REMOVE =
      """
      DELETE FROM {schema}.outledger_status
       WHERE subscription = ? AND partition_no = ? AND instance = ?\
      """;
  private static final String SEEN =
      """
      SELECT s.instance, s.since FROM {schema}.outledger_status s
       WHERE s.subscription = ? AND s.partition_no = ?\
      """;
  private static final String INSTANCES =
      """
      SELECT s.instance FROM {schema}.outledger_status s
       WHERE s.subscription = ? AND s.partition_no = ? ORDER BY s.since DESC, s.instance\
      """;

  private final OperatorTransactions transactions;
  private final SqlNaming naming;
  private final String put;
  private final String remove;
  private final String instances;

  /**
   * Creates it, without I/O.
   *
   * @param naming the words of its schema
   * @param put inserts a row, or replaces the one that has its key: subscription, partition,
   *     instance, incarnation, state, reason, causes, and the milliseconds since then
   */
  public StatusTable(OperatorTransactions transactions, SqlNaming naming, String put) {
    this.transactions = transactions;
    this.naming = naming;
    this.put = naming.in(put);
    this.remove = naming.in(REMOVE);
    this.instances = naming.in(INSTANCES);
  }

  @Override
  public void write(List<Entry> entries) {
    transactions.run(
        Kind.CHANGES,
        "writing the status of relays",
        transaction -> {
          for (Entry entry : entries) {
            write(transaction, entry);
          }
          return entries.size();
        });
  }

  @Override
  public Map<String, Instant> seen(CursorKey key) {
    return transactions.run(
        Kind.READS,
        "reading the status of relays",
        transaction ->
            Sql.in(naming, transaction, SEEN, key.subscription(), key.partition())
                .rows(row -> Map.entry(row.getString(1), naming.values().time(row, 2)))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private void write(Connection transaction, Entry entry) throws SQLException {
    RelayStatus status = entry.status();
    if (status.state() == RelayStatus.State.STOPPED && "".equals(status.reason())) {
      remove(transaction, entry, entry.instance());
      return;
    }
    Sql.in(
            naming,
            transaction,
            put,
            entry.key().subscription(),
            entry.key().partition(),
            entry.instance(),
            status.incarnation(),
            status.state().name().toLowerCase(Locale.ROOT),
            status.reason(),
            RelayCause.write(status.causes()),
            entry.age().toMillis())
        .update();
    forget(transaction, entry);
  }

  /** Of those that crashed nobody else says that they are gone. */
  private void forget(Connection transaction, Entry entry) throws SQLException {
    List<String> all =
        Sql.in(naming, transaction, instances, entry.key().subscription(), entry.key().partition())
            .rows(row -> row.getString(1));
    for (String old : all.subList(Math.min(INSTANCES_MAX, all.size()), all.size())) {
      remove(transaction, entry, old);
    }
  }

  private void remove(Connection transaction, Entry of, String instance) throws SQLException {
    Sql.in(naming, transaction, remove, of.key().subscription(), of.key().partition(), instance)
        .update();
  }
}
