// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.List;

/**
 * The inventory service: what it has in flight are the orders that the broker has and it has not
 * done.
 */
record InventoryRole(ServiceProcess process, DemoBroker broker, Ledger ledger) implements Role {

  @Override
  public String name() {
    return process.name();
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public long inFlight() {
    return broker.unreceived();
  }

  @Override
  public String inFlightText(long count) {
    return Words.count(count, "order") + " received and not acknowledged";
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
