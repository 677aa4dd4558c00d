// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

/**
 * The inventory service: what it has in flight are the orders that the broker has and it has not
 * done.
 */
record InventoryRole(ServiceProcess process, DemoBroker broker, Ledger orders, Ledger ledger)
    implements Role {

  @Override
  public String name() {
    return process.name();
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public long inFlight() throws SQLException {
    OptionalLong unreceived = broker.unreceived();
    return unreceived.isPresent() ? unreceived.getAsLong() : unreserved();
  }

  private long unreserved() throws SQLException {
    long ordered = orders.database().number("SELECT count(*) FROM orders");
    return Math.max(0, ordered - ledger.database().number("SELECT count(*) FROM reservation"));
  }

  @Override
  public String inFlightText(long count) {
    return Words.count(count, "order") + " sent to it and not acknowledged";
  }

  @Override
  public List<Ledger> interrupts() {
    return List.of(ledger); // its relay runs in the same process
  }

  @Override
  public void kill() {
    process.kill();
  }

  @Override
  public void restart() {
    process.start();
  }
}
