// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.examples.RelayVoice;
import java.sql.SQLException;
import java.time.Instant;

/**
 * One of the two ledgers, seen from outside.
 *
 * @param database where it is
 * @param interruptions what its relay had to live through
 */
record Ledger(Database database, Interruptions interruptions) implements AutoCloseable {

  /** The name that both services gave their subscription. */
  static final String SUBSCRIPTION = "broker";

  Ledger(Database database) {
    this(database, new Interruptions());
  }

  /** Returns how many messages are not settled yet, by the view that is meant for people. */
  long pending() throws SQLException {
    return database.number(
        "SELECT count(*) FROM outledger_pending WHERE subscription = '" + SUBSCRIPTION + "'");
  }

  /** Takes what a relay of it says. */
  void heard(String relay, String line) {
    if (line.startsWith(RelayVoice.IN_DOUBT)) {
      // What the line says and not when it is heard: by then it may have been published again.
      Instant at = Instant.parse(line.substring(RelayVoice.IN_DOUBT.length() + 1));
      interruptions.add(relay, new Span(at, at));
    } else if (line.equals(RelayVoice.STILL_AWAY)) {
      interruptions.addProbe(relay);
    }
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
