// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.jdbc.spi.TakenBack;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;

/**
 * Work on the parked messages of a subscription, whatever number of partitions it has.
 *
 * @param work over the rows of one cursor, or over those of all partitions
 */
record OfCursors(
    SubscriptionStore store, String subscription, Function<CursorKey, RequestWork> work)
    implements RequestWork {

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    return over(transaction).step(transaction, row);
  }

  @Override
  public TakenBack takeBack(Connection transaction, RequestRow row) throws SQLException {
    return over(transaction).takeBack(transaction, row);
  }

  @Override
  public SoFar soFar(Connection transaction, RequestRow row, Stopping stopping)
      throws SQLException {
    return over(transaction).soFar(transaction, row, stopping);
  }

  private RequestWork over(Connection transaction) throws SQLException {
    CursorKey first = store.cursors(transaction, subscription).get(0);
    return work.apply(first.partition() == 0 ? first : CursorKey.everyPartition(subscription));
  }
}
