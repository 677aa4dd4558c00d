// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.List;

/**
 * The process that takes orders: what it has in flight are the requests that have no answer yet.
 *
 * @param process it
 * @param client who asks
 * @param interrupts the ledgers whose relays run in it
 */
record OrderServiceRole(ServiceProcess process, ShopClient client, List<Ledger> interrupts)
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
  public long inFlight() {
    return client.inProgress();
  }

  @Override
  public String inFlightText(long count) {
    return Words.count(count, "request") + " in progress";
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
