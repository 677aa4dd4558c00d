// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import io.outledger.jdbc.spi.RetentionStore;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;

/** Removes old messages and inbox records, step by step. */
final class H2Retention implements RetentionStore {

  private static final int ROWS_A_STEP = 10_000;

  // A range of outledger_inbox_processed_at.
  private static final String INBOX =
      """
      DELETE FROM {schema}.outledger_inbox
       WHERE processed_at < DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
       FETCH FIRST ? ROWS ONLY\
      """;

  // By the same index: old rows of other consumers are read and stay.
  private static final String INBOX_OF =
      """
      DELETE FROM {schema}.outledger_inbox
       WHERE processed_at < DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)
         AND consumer IN (SELECT c.name FROM UNNEST(CAST(? AS VARCHAR ARRAY)) AS c (name))
       FETCH FIRST ? ROWS ONLY\
      """;

  /** The rights of whoever purges. */
  private static final String GRANT =
      "GRANT SELECT, DELETE ON {schema}.outledger_message TO role;"
          + " GRANT SELECT, DELETE ON {schema}.outledger_inbox TO role;"
          + " GRANT SELECT, UPDATE ON {schema}.outledger_retention TO role;"
          + " GRANT SELECT ON {schema}.outledger_cursor, {schema}.outledger_hole,"
          + " {schema}.outledger_subscription, {schema}.outledger_schema TO role";

  private final DataSource dataSource;
  private final MessagePurge messages;
  private final Ledger ledger;
  private final String inbox;
  private final String inboxOf;
  private final String rights;

  H2Retention(DataSource dataSource, Tables tables) {
    this.dataSource = dataSource;
    this.messages = new MessagePurge(tables, ROWS_A_STEP);
    this.ledger = new Ledger(tables);
    this.inbox = tables.in(INBOX);
    this.inboxOf = tables.in(INBOX_OF);
    this.rights = tables.in(GRANT);
  }

  @Override
  public Step purgeMessages(Duration age, Step last) {
    return OwnTransaction.run(
        dataSource, "purging messages", connection -> messages.step(connection, age, last));
  }

  @Override
  public Step purgeInbox(Duration age) {
    return purged(inbox, -age.toMillis(), ROWS_A_STEP);
  }

  @Override
  public Step purgeInbox(Duration age, Set<String> consumers) {
    return purged(inboxOf, -age.toMillis(), consumers.toArray(), ROWS_A_STEP);
  }

  private Step purged(String sql, Object... values) {
    int removed =
        OwnTransaction.run(
            dataSource, "purging inboxes", connection -> Sql.of(connection, sql, values).update());
    return new Step(removed, removed == ROWS_A_STEP, 0);
  }

  @Override
  public String rights() {
    return rights;
  }

  @Override
  public long purgedTo() {
    return OwnTransaction.run(dataSource, "reading how far retention has purged", ledger::purgedTo);
  }
}
