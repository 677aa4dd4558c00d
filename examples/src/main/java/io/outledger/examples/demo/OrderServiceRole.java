// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.List;

/** The order service: what it has in flight are the requests that have no answer yet. */
record OrderServiceRole(ServiceProcess process, ShopClient client) implements Role {

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
    return client.inProgress();
  }

  @Override
  public String inFlightText(long count) {
    return Words.count(count, "request") + " in progress";
  }

  @Override
  public List<Ledger> interrupts() {
    return List.of(); // its relays are processes of their own
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
