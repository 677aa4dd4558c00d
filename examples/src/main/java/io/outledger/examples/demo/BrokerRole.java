// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.KillableServer;
import java.sql.SQLException;
import java.util.List;

/** The broker: what it has in flight are the messages that no relay has settled yet. */
record BrokerRole(KillableServer server, Ledger orders, Ledger inventory) implements Role {

  @Override
  public String name() {
    return "broker";
  }

  @Override
  public long pid() {
    return server.pid();
  }

  @Override
  public long inFlight() throws SQLException {
    return orders.pending() + inventory.pending();
  }

  @Override
  public String inFlightText(long count) {
    return Words.count(count, "message") + " on the way to it";
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
