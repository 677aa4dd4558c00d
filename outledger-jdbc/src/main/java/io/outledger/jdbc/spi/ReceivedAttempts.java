// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.inbox.InboxId;
import io.outledger.store.FailedAttempt;
import io.outledger.store.ParkedFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;

/**
 * The failed attempts at what consumers have parked, as {@link AttemptRows} has those of
 * subscriptions: the same on every database. Thread-safe.
 */
final class ReceivedAttempts {

  // The unique key. Number, time and error are those of the row that was just written.
  private static final String NOTE =
      """
      INSERT INTO {schema}.outledger_inbox_attempt
             (consumer, number, attempt_no, failed_at, took_millis, error)
      SELECT consumer, number, attempts, changed_at, CAST(? AS {bigint}), error
        FROM {schema}.outledger_inbox_parked
       WHERE consumer = ? AND source = ? AND message_id = ?\
      """;

  // The primary key: those between the first and the last. The attempts at a row are only counted
  // up, and a number is given to one row.
  private static final String CLEAR =
      """
      DELETE FROM {schema}.outledger_inbox_attempt
       WHERE consumer = ? AND number = ? AND attempt_no > %s AND attempt_no <= ?\
      """
          .formatted(FailedAttempt.FIRST_KEPT);

  private final String note;
  private final String clear;

  ReceivedAttempts(SqlNaming naming) {
    this.note = naming.in(NOTE);
    this.clear = naming.in(CLEAR);
  }

  /**
   * Notes the attempt of a failure at the row that was changed by it; nothing where it has none.
   */
  void note(Connection transaction, String consumer, InboxId message, ParkedFailure failure)
      throws SQLException {
    FailedAttempt attempt = failure.attempt();
    if (attempt == null) {
      return;
    }
    try (PreparedStatement statement = transaction.prepareStatement(note)) {
      Duration took = attempt.took();
      if (took == null) {
        statement.setNull(1, Types.BIGINT);
      } else {
        statement.setLong(1, took.toMillis());
      }
      statement.setString(2, consumer);
      statement.setString(3, message.source());
      statement.setString(4, message.id());
      statement.executeUpdate();
    }
  }

  /** Forgets the attempts at a row that are neither among the first nor among the last. */
  void clear(Connection transaction, String consumer, long number, int attempts)
      throws SQLException {
    if (attempts > FailedAttempt.FIRST_KEPT + FailedAttempt.LAST_KEPT) {
      try (PreparedStatement statement = transaction.prepareStatement(clear)) {
        statement.setString(1, consumer);
        statement.setLong(2, number);
        statement.setInt(3, attempts - FailedAttempt.LAST_KEPT);
        statement.executeUpdate();
      }
    }
  }
}
