// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.store.PauseScope;
import io.outledger.store.Paused;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Pauses a subscription or a part of it. Its owner sees that in the same snapshot as messages. */
record PauseWork(
    SubscriptionStore store, PauseTable pauses, DeclarationTable declarations, Verb.Pause verb)
    implements RequestWork {

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    CursorKey first = store.cursors(transaction, verb.subscription()).get(0);
    store.lockName(transaction, first);
    PauseScope what = verb.what();
    if (what.kind() == PauseScope.Kind.ROUTE) {
      declarations.current(transaction).requireRoute(what.name(), verb.subscription());
    }
    RequestStatus asked = row.status();
    Optional<Paused> before =
        pauses.pause(transaction, verb.subscription(), what, asked.askedBy(), asked.reason());
    return Optional.of(
        before.isEmpty()
            ? RequestStep.done("paused until somebody resumes it")
            : RequestStep.nothing(
                "paused already since " + before.get().since() + ": " + before.get()));
  }
}
