// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

/** What publishes the order service's ledger: two processes, of which one works. */
interface OrderPublisher extends Role {

  /** Starts both, and returns when they work. */
  void start(DemoShop.Listener listener);

  /** Asks them to end. */
  void stop();
}
