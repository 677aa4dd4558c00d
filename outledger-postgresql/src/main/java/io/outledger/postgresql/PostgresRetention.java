// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.jdbc.spi.RetentionStore;
import io.outledger.postgresql.OwnTransaction.Kind;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Removes old messages and inbox records, step by step. */
final class PostgresRetention implements RetentionStore {

  private static final int ROWS_A_STEP = 10_000;

  // One range of the BRIN index on processed_at, up to as many rows as fit in a step.
  private static final String INBOX =
      """
      DELETE FROM {schema}.outledger_inbox i
       WHERE i.ctid = ANY (ARRAY(
             SELECT old.ctid FROM {schema}.outledger_inbox old
              WHERE old.processed_at < now() - ?::bigint * interval '1 millisecond' LIMIT ?))\
      """;

  // By the same index: old rows of other consumers are read and stay.
  private static final String INBOX_OF =
      """
      DELETE FROM {schema}.outledger_inbox i
       WHERE i.ctid = ANY (ARRAY(
             SELECT old.ctid FROM {schema}.outledger_inbox old
              WHERE old.processed_at < now() - ?::bigint * interval '1 millisecond'
                AND old.consumer = ANY (?::text[]) LIMIT ?))\
      """;

  /** The rights of a role that purges, as docs/schema.md lists them. */
  private static final String GRANT =
      "GRANT USAGE ON SCHEMA {schema} TO role;"
          + " GRANT SELECT, DELETE ON {schema}.outledger_message, {schema}.outledger_inbox,"
          + " {schema}.outledger_late TO role;"
          + " GRANT SELECT, UPDATE ON {schema}.outledger_retention TO role;"
          + " GRANT SELECT ON {schema}.outledger_hole, {schema}.outledger_subscription,"
          + " {schema}.outledger_schema TO role;"
          + " GRANT SELECT ON SEQUENCE {schema}.outledger_message_position TO role";

  private final DataSource dataSource;
  private final MessagePurge messages;
  private final String inbox;
  private final String inboxOf;
  private final String rights;

  PostgresRetention(DataSource dataSource, Tables tables) {
    this.dataSource = dataSource;
    this.messages = new MessagePurge(tables, ROWS_A_STEP);
    this.inbox = tables.in(INBOX);
    this.inboxOf = tables.in(INBOX_OF);
    this.rights = tables.in(GRANT);
  }

  @Override
  public Step purgeMessages(Duration age, Step last) {
    return OwnTransaction.run(
        dataSource,
        Kind.CHANGES,
        "purging messages",
        connection -> messages.step(connection, age, last));
  }

  @Override
  public Step purgeInbox(Duration age) {
    return purged(inbox, age, null);
  }

  @Override
  public Step purgeInbox(Duration age, Set<String> consumers) {
    return purged(inboxOf, age, consumers);
  }

  private Step purged(String sql, Duration age, @Nullable Set<String> consumers) {
    int removed =
        OwnTransaction.run(
            dataSource,
            Kind.CHANGES,
            "purging inboxes",
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(sql)) {
                int at = 1;
                statement.setLong(at++, age.toMillis());
                if (consumers != null) {
                  statement.setArray(at++, connection.createArrayOf("text", consumers.toArray()));
                }
                statement.setInt(at, ROWS_A_STEP);
                return statement.executeUpdate();
              }
            });
    return new Step(removed, removed == ROWS_A_STEP, 0);
  }

  @Override
  public String rights() {
    return rights;
  }

  @Override
  public long purgedTo() {
    return OwnTransaction.run(
        dataSource, Kind.READS, "reading how far retention has purged", messages::purgedTo);
  }
}
