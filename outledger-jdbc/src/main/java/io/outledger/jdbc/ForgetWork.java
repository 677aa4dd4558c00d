// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.UnknownName;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Makes a consumer forget messages. */
record ForgetWork(Database database, Verb.Forget verb) implements RequestWork {

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    int forgotten = database.inboxMemory().forget(transaction, verb.consumer(), verb.messages());
    if (forgotten == 0) {
      Set<String> known = database.received().consumers(transaction);
      if (!known.contains(verb.consumer())) {
        throw UnknownName.consumer(verb.consumer(), known);
      }
      return Optional.of(RequestStep.nothing("nothing to forget: it remembers none of them"));
    }
    long asked = verb.messages().size();
    return Optional.of(
        new RequestStep(
            RequestState.DONE,
            forgotten,
            (long) forgotten,
            null,
            "forgot %s of %s; it processes them when they are delivered again"
                .formatted(forgotten, asked),
            null,
            Duration.ZERO));
  }
}
