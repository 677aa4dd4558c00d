// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.KillableServer;
import java.sql.SQLException;
import java.util.List;

/**
 * A database server: what it has in flight are transactions that have written and not committed.
 *
 * @param name its name
 * @param server its process
 * @param halfDone counts these transactions
 * @param orders a ledger in it
 * @param inventory the other one
 */
record DatabaseRole(
    String name, KillableServer server, HalfDone halfDone, Ledger orders, Ledger inventory)
    implements Role {

  /** Counts the transactions that have written and not committed. */
  interface HalfDone {
    long count() throws SQLException;
  }

  @Override
  public long pid() {
    return server.pid();
  }

  @Override
  public long inFlight() throws SQLException {
    return halfDone.count();
  }

  @Override
  public String inFlightText(long count) {
    return Words.count(count, "transaction") + " half done";
  }

  @Override
  public List<Ledger> interrupts() {
    return List.of(orders, inventory);
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.restart();
  }
}
