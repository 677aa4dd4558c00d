// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.spi.ReplayRows;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.RequestTable;
import io.outledger.jdbc.spi.TakenBack;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A move or a deletion, which ends in its own transaction the subscription's replays: what they
 * were to publish once more may be open again, or gone.
 *
 * @param work moves or deletes
 * @param ended what the replays say then, for people
 */
record EndingReplays(
    RequestWork work, RequestTable table, ReplayRows rows, String subscription, String ended)
    implements RequestWork {

  private static final int REMOVED_MAX = 1_000;

  @Override
  public void prepare(RequestRow row) {
    work.prepare(row);
  }

  /**
   * Locks in the order in which a replay's step does: its request, then the place. The owner locks
   * parked rows after its cursor, so the copies come last.
   */
  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    List<RequestRow> replays = table.lockReplays(transaction, subscription);
    Optional<RequestStep> step = work.step(transaction, row);
    if (step.isPresent()) {
      for (RequestRow replay : replays) {
        end(transaction, replay);
      }
    }
    return step;
  }

  /**
   * A replay has few copies that wait at a time, so all of them are removed here, but for those
   * that others have locked: the replay is over when they are gone.
   */
  private void end(Connection transaction, RequestRow replay) throws SQLException {
    RequestStatus before = replay.status();
    TakenBack taken;
    do {
      taken = rows.remove(transaction, before.id(), REMOVED_MAX);
    } while (taken == TakenBack.SOME);
    String sofar = before.result().isEmpty() ? "" : ": " + before.result();
    table.write(
        transaction,
        replay,
        RequestStep.stopping(taken, before.done(), before.total(), ended + sofar));
  }
}
