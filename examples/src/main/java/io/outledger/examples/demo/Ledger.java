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
 * @param ownership who publishes it
 */
record Ledger(Database database, Interruptions interruptions, Ownership ownership)
    implements AutoCloseable {

  /** The name that both services gave their subscription. */
  static final String SUBSCRIPTION = "broker";

  /** A ledger whose relay may publish again what it had in flight. */
  Ledger(Database database) {
    this(database, new Interruptions(false), new Ownership());
  }

  /** A ledger that is published exactly once. */
  static Ledger exactlyOnce(Database database) {
    return new Ledger(database, new Interruptions(true), new Ownership());
  }

  /** Returns its tables. */
  LedgerTables tables() {
    return new LedgerTables(database);
  }

  /** Returns how many messages are not settled yet, by the view that is meant for people. */
  long pending() throws SQLException {
    return database.number(
        "SELECT count(*) FROM outledger_pending WHERE subscription = '" + SUBSCRIPTION + "'");
  }

  /** Takes a line of a process; those that a relay of this ledger says begin with its name. */
  void heard(String process, String line) {
    String mine = RelayVoice.of(database.name(), "");
    if (!line.startsWith(mine)) {
      return;
    }
    String said = line.substring(mine.length());
    ownership.heard(process, said);
    if (said.startsWith(RelayVoice.IN_DOUBT)) {
      // What the line says and not when it is heard: by then it may have been published again.
      Instant at = Instant.parse(said.substring(RelayVoice.IN_DOUBT.length() + 1));
      interruptions.add(process, new Span(at, at));
    } else if (said.equals(RelayVoice.STILL_AWAY)) {
      interruptions.addProbe(process);
    }
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
