// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.shop;

import io.outledger.examples.Settings;
import io.outledger.examples.inventory.InventoryService;
import io.outledger.examples.order.OrderService;
import io.outledger.examples.relay.RelayService;

/** All services of the shop and their relays, each on a database that this process has open. */
public final class ShopInOneProcess {

  private ShopInOneProcess() {}

  /**
   * Runs the services until the process ends.
   *
   * @param args the settings file of the order service and its relay, and that of the inventory
   *     service
   */
  public static void main(String[] args) throws Exception {
    Settings orders = Settings.of(args[0]);
    OrderService.start(orders);
    RelayService.start(orders);
    InventoryService.start(Settings.of(args[1]));
    System.out.println("ready");
  }
}
