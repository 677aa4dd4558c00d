// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.sql.SQLException;
import java.util.List;

/** A process of the demo that can be killed. Used by one thread. */
interface Role {

  /** Returns its name. */
  String name();

  /** Returns its process id. */
  long pid();

  /** Returns how much it has in flight now; 0 where that cannot be said. */
  long inFlight() throws SQLException;

  /** Returns what is in flight, in words: {@code 3 requests in progress}. */
  String inFlightText(long count);

  /** Returns the ledgers whose relay loses what it has in flight when this is killed. */
  List<Ledger> interrupts();

  /** Kills it by SIGKILL. */
  void kill();

  /** Starts it again, and returns when it works. */
  void restart();
}
