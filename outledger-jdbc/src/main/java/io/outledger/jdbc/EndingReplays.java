// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.RequestWork.SoFar;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.spi.Fenced;
import io.outledger.jdbc.spi.ReplayRows;
import io.outledger.jdbc.spi.ReplayRows.Left;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.RequestTable;
import io.outledger.jdbc.spi.TakenBack;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A move or a deletion, which ends in its own transaction the subscription's replays: what they
 * were to publish once more may be open again, or gone.
 */
final class EndingReplays implements RequestWork {

  private static final int REMOVED_MAX = 1_000;

  private final RequestWork work;
  private final RequestTable table;
  private final ReplayRows rows;
  private final Function<RequestRow, Optional<ReplayWork>> works;
  private final String ended;
  private List<RequestRow> replays = List.of();
  private List<Ending> endings = List.of();

  /**
   * Makes it, without I/O.
   *
   * @param work moves or deletes
   * @param works returns what does a replay; empty where that is not known
   * @param ended what the replays say then, for people
   */
  EndingReplays(
      Function<Fenced, RequestWork> work,
      RequestTable table,
      ReplayRows rows,
      Function<RequestRow, Optional<ReplayWork>> works,
      String ended) {
    this.work = work.apply(this::takeBack);
    this.table = table;
    this.rows = rows;
    this.works = works;
    this.ended = ended;
  }

  /**
   * A replay whose copies were taken back.
   *
   * @param left what is left of them, before the work removes some
   */
  private record Ending(RequestRow replay, Stopping stopping, Left left) {}

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
    replays = table.lockReplays(transaction, row.status().reader().name());
    endings = List.of();
    Optional<RequestStep> step = work.step(transaction, row);
    if (step.isPresent()) {
      if (endings.isEmpty()) { // nothing was moved or deleted
        takeBack(transaction);
      }
      for (Ending ending : endings) {
        end(transaction, ending);
      }
    }
    return step;
  }

  /** A replay has few copies that wait at a time, so all of them are taken back here. */
  private void takeBack(Connection transaction) throws SQLException {
    endings = new ArrayList<>();
    for (RequestRow replay : replays) {
      Stopping stopping = Stopping.forGood(replay, ended);
      TakenBack taken;
      do {
        taken = rows.remove(transaction, replay.status().id(), REMOVED_MAX);
        stopping = stopping.and(taken.rows());
      } while (taken.rest() == TakenBack.Rest.MORE);
      endings.add(new Ending(replay, stopping, left(transaction, replay)));
    }
  }

  private Left left(Connection transaction, RequestRow replay) throws SQLException {
    return rows.left(transaction, replay.status().id(), Pace.UNLIMITED.failuresCounted());
  }

  /** Those that others have locked the work may have removed; else the replay is over later. */
  private void end(Connection transaction, Ending ending) throws SQLException {
    RequestRow replay = ending.replay();
    Left before = ending.left();
    long waiting = left(transaction, replay).waiting();
    Stopping stopping = ending.stopping().and(before.waiting() - waiting);
    Left left = new Left(waiting, before.bytes(), before.dead());
    SoFar sofar =
        works
            .apply(replay)
            .filter(each -> stopping.place() != null)
            .map(each -> each.soFar(replay, stopping, left))
            .orElse(SoFar.told(replay));
    TakenBack.Rest rest = waiting == 0 ? TakenBack.Rest.NONE : TakenBack.Rest.LOCKED;
    table.write(transaction, replay, stopping.step(replay, rest, sofar));
  }
}
