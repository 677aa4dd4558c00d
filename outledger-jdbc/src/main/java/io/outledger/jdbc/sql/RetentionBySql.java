// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.sql;

import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.RetentionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Removes old messages and inbox records, with the texts of one database. Thread-safe. */
public final class RetentionBySql implements RetentionStore {

  private final OperatorTransactions transactions;
  private final LedgerTables tables;
  private final MessagePurge messages;
  private final int batch;
  private final Ledger ledger;
  private final String inbox;
  private final String inboxOf;
  private final String rights;

  /**
   * A database's texts.
   *
   * @param inbox deletes records that are older than an age in milliseconds, at most as many as the
   *     second parameter says
   * @param inboxOf the same for some consumers, of whose names there are as many parameters between
   *     the two as <code>%s</code> stands for
   * @param rights the statements that grant a role the rights to purge, for people
   */
  public record Texts(String inbox, String inboxOf, String rights) {}

  /**
   * Creates it, without I/O.
   *
   * @param batch how many positions, and how many inbox records, a step covers at most
   */
  public RetentionBySql(
      OperatorTransactions transactions, LedgerTables tables, Texts texts, int batch) {
    this.transactions = transactions;
    this.tables = tables;
    this.messages = new MessagePurge(tables, batch);
    this.batch = batch;
    this.ledger = new Ledger(tables);
    this.inbox = tables.in(texts.inbox());
    this.inboxOf = tables.in(texts.inboxOf());
    this.rights = tables.in(texts.rights());
  }

  @Override
  public Step purgeMessages(Duration age, Step last) {
    return transactions.run(
        Kind.CHANGES, "purging messages", connection -> messages.step(connection, age, last));
  }

  @Override
  public Step purgeInbox(Duration age) {
    return purged(inbox, age.toMillis(), batch);
  }

  @Override
  public Step purgeInbox(Duration age, Set<String> consumers) {
    if (consumers.isEmpty()) {
      return Step.NONE;
    }
    List<Object> values = new ArrayList<>();
    values.add(age.toMillis());
    values.addAll(consumers);
    values.add(batch);
    String names = String.join(", ", Collections.nCopies(consumers.size(), "?"));
    return purged(inboxOf.formatted(names), values.toArray());
  }

  private Step purged(String sql, Object... values) {
    int removed =
        transactions.run(
            Kind.CHANGES,
            "purging inboxes",
            connection -> Sql.in(tables, connection, sql, values).update());
    return new Step(removed, removed == batch, 0);
  }

  @Override
  public String rights() {
    return rights;
  }

  @Override
  public long purgedTo() {
    return transactions.run(Kind.READS, "reading how far retention has purged", ledger::purgedTo);
  }
}
