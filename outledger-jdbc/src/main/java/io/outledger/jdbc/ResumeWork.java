// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.CursorKey;
import io.outledger.jdbc.spi.PauseTable;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.SubscriptionStore;
import io.outledger.store.Paused;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/** Ends a pause. What was set aside for it is due at once: its owner sees to that. */
record ResumeWork(SubscriptionStore store, PauseTable pauses, Verb.Resume verb)
    implements RequestWork {

  private static final int OTHERS_MAX = 3;

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    CursorKey first = store.cursors(transaction, verb.subscription()).get(0);
    store.lockName(transaction, first);
    RequestStatus asked = row.status();
    Optional<Paused> before =
        pauses.resume(
            transaction, verb.subscription(), verb.what(), asked.askedBy(), asked.reason());
    return Optional.of(
        before.isPresent()
            ? RequestStep.done(told(before.get()))
            : RequestStep.nothing(
                "nothing to resume: " + verb.what() + " is not paused" + others(transaction)));
  }

  /** Names what is paused instead, for whoever meant that. */
  private String others(Connection transaction) throws SQLException {
    Collection<Paused> others = pauses.current(transaction, verb.subscription()).current().values();
    String named =
        others.stream()
            .limit(OTHERS_MAX)
            .map(each -> each.scope() + ", by " + each.by())
            .sorted()
            .collect(Collectors.joining("; "));
    int more = others.size() - OTHERS_MAX;
    String rest = more > 0 ? "; and " + more + " more" : "";
    return others.isEmpty() ? "" : "; paused is: " + named + rest;
  }

  private static String told(Paused paused) {
    return "resumed; %s had been paused since %s by %s: %s"
        .formatted(paused.scope(), paused.since(), paused.by(), paused.reason());
  }
}
