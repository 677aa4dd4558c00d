// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.ScheduledTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Does something to a scheduled message, where it waits. */
final class ScheduledWork implements RequestWork {

  private final Appending.Work<Integer> work;
  private final String done;

  private ScheduledWork(Appending.Work<Integer> work, String done) {
    this.work = work;
    this.done = done;
  }

  static ScheduledWork cancelling(ScheduledTable table, CancelScheduled verb) {
    UUID id = verb.id();
    String name = String.valueOf(verb.name());
    return new ScheduledWork(
        transaction -> id == null ? table.cancel(transaction, name) : table.cancel(transaction, id),
        "cancelled; it is never delivered");
  }

  static ScheduledWork deliveringNow(ScheduledTable table, DeliverNow verb) {
    UUID id = verb.id();
    String name = String.valueOf(verb.name());
    return new ScheduledWork(
        transaction ->
            id == null ? table.makeDue(transaction, name) : table.makeDue(transaction, id),
        "due now; it enters the ledger within about a second, where a relay runs");
  }

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    return Optional.of(
        work.on(transaction) > 0
            ? RequestStep.done(done)
            : RequestStep.nothing(
                "nothing to do: no such message waits; it was delivered or cancelled before"));
  }
}
