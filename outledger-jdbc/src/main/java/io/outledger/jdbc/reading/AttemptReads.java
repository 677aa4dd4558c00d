// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.admin.AttemptMade;
import io.outledger.jdbc.admin.ParkedPoint;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.AdminReads;
import io.outledger.store.FailedAttempt;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The failed attempts at a parked message. */
public final class AttemptReads {

  private static final int ROWS_MAX = FailedAttempt.FIRST_KEPT + FailedAttempt.LAST_KEPT;

  // Both: a range of the primary key, in its order.
  private static final String OF_SUBSCRIPTION =
      """
      SELECT a.attempt_no, a.failed_at, a.took_millis, a.error FROM {schema}.outledger_attempt a
       WHERE a.subscription = ? AND a.partition_no %s ? AND a.position = ? AND a.route = ?
         AND a.id = ?
       ORDER BY a.attempt_no LIMIT ?\
      """;
  private static final String OF_CONSUMER =
      """
      SELECT a.attempt_no, a.failed_at, a.took_millis, a.error
        FROM {schema}.outledger_inbox_attempt a
       WHERE a.consumer = ? AND a.number = ? ORDER BY a.attempt_no LIMIT ?\
      """;

  private final AdminReads reads;
  private final Owners owners;

  /** Makes it, without I/O. */
  public AttemptReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
    this.owners = new Owners(reads);
  }

  /**
   * Returns the attempts at a message, in order; none where it is not parked.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-025} if there is no such owner
   * @throws io.outledger.StoreException if the database failed
   */
  public List<AttemptMade> attempts(Reader owner, ParkedPoint place) {
    Require.nonNull("owner", owner);
    Require.nonNull("place", place);
    return reads.read(
        "reading the attempts at a message of " + owner,
        connection -> {
          List<AttemptMade> all = query(owner, place, "=").rows(connection, this::read);
          if (all.isEmpty() && !owner.isConsumer() && owner.partition() == 0) {
            all = query(owner, place, ">").rows(connection, this::read); // of any partition
          }
          if (all.isEmpty()) {
            owners.requireKnown(connection, owner);
          }
          return all;
        });
  }

  private Query query(Reader owner, ParkedPoint place, String partition) {
    return owner.isConsumer()
        ? Query.of(reads, reads.in(OF_CONSUMER), owner.name(), place.number(), ROWS_MAX)
        : Query.of(
            reads,
            reads.in(OF_SUBSCRIPTION.formatted(partition)),
            owner.name(),
            owner.partition(),
            place.number(),
            place.route(),
            place.id(),
            ROWS_MAX);
  }

  private AttemptMade read(ResultSet row) throws SQLException {
    long millis = row.getLong(3);
    Duration took = row.wasNull() ? null : Duration.ofMillis(millis);
    return new AttemptMade(row.getInt(1), reads.values().time(row, 2), took, row.getString(4));
  }
}
