// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.util.List;

/** All services in one process, which is killed with the databases that it has open. */
final class ServicesInOneProcess implements Services {

  private final Wiring wiring;
  private final ServiceProcess shop;

  /**
   * Prepares it.
   *
   * @param main runs the services; its arguments are the settings for orders and for inventory
   */
  ServicesInOneProcess(Wiring wiring, Class<?> main) {
    this.wiring = wiring;
    this.shop =
        wiring.process(
            "shop",
            main,
            wiring.settings("orders", "orders", 8),
            wiring.settings("inventory", "inventory", 4));
  }

  @Override
  public void start(DemoShop.Listener listener) {
    long start = System.nanoTime();
    shop.start();
    listener.started("shop", "services and relays in one process", DemoShop.ms(start));
    listener.started("its order-service", "POST " + wiring.ordersUri(), DemoShop.ms(start));
  }

  @Override
  public List<Role> roles(ShopClient client) {
    return List.of(
        new OrderServiceRole(shop, client, List.of(wiring.orders(), wiring.inventory())));
  }

  @Override
  public void close() {
    shop.stop();
  }
}
