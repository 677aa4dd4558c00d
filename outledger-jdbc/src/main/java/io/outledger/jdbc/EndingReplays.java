// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.spi.ReplayRows;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.RequestTable;
import io.outledger.jdbc.spi.TakenBack;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A move or a deletion, which ends in its own transaction the subscription's replays: what they
 * were to publish once more may be open again, or gone.
 *
 * @param work moves or deletes
 * @param stopped returns what a replay has come to when it is stopped
 * @param ended what the replays say then, for people
 */
record EndingReplays(
    RequestWork work, RequestTable table, ReplayRows rows, Stopped stopped, String ended)
    implements RequestWork {

  private static final int REMOVED_MAX = 1_000;

  /** Tells what a request has come to when it is stopped. */
  @FunctionalInterface
  interface Stopped {
    SoFar of(Connection transaction, RequestRow row) throws SQLException;
  }

  @Override
  public void prepare(RequestRow row) {
    work.prepare(row);
  }

  /**
   * Locks in the order in which a replay's step does: its request, then the place. The owner locks
   * parked rows after its cursor, so the copies come last. They are counted before, since the work
   * may remove some.
   */
  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    String subscription = row.status().reader().name();
    Map<RequestRow, SoFar> replays = new LinkedHashMap<>();
    for (RequestRow replay : table.lockReplays(transaction, subscription)) {
      replays.put(replay, stopped.of(transaction, replay));
    }
    Optional<RequestStep> step = work.step(transaction, row);
    if (step.isPresent()) {
      for (Map.Entry<RequestRow, SoFar> replay : replays.entrySet()) {
        end(transaction, replay.getKey(), replay.getValue());
      }
    }
    return step;
  }

  /**
   * A replay has few copies that wait at a time, so all of them are removed here, but for those
   * that others have locked: the replay is over when they are gone.
   */
  private void end(Connection transaction, RequestRow replay, SoFar sofar) throws SQLException {
    TakenBack taken;
    do {
      taken = rows.remove(transaction, replay.status().id(), REMOVED_MAX);
    } while (taken == TakenBack.SOME);
    table.write(
        transaction,
        replay,
        RequestStep.stopping(
            taken,
            sofar.done(),
            replay.status().total(),
            ended + (sofar.result().isEmpty() ? "" : ": " + sofar.result())));
  }
}
