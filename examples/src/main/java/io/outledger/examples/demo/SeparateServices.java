// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.examples.inventory.InventoryService;
import io.outledger.examples.order.OrderService;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Four processes: the order service, the two that publish its ledger, and the inventory service.
 */
final class SeparateServices implements Services {

  private final Wiring wiring;
  private final ServiceProcess orderService;
  private final ServiceProcess inventoryService;
  private final OrderPublisher publisher;

  SeparateServices(Wiring wiring, OrderPublisher publisher) {
    this.wiring = wiring;
    this.publisher = publisher;
    this.orderService = process("order-service", OrderService.class, "orders", 8);
    this.inventoryService = process("inventory-service", InventoryService.class, "inventory", 4);
  }

  @Override
  public void start(DemoShop.Listener listener) {
    long start = System.nanoTime();
    orderService.start();
    listener.started("order-service", "POST " + wiring.ordersUri(), DemoShop.ms(start));
    long next = System.nanoTime();
    CompletableFuture<Void> starting = CompletableFuture.runAsync(inventoryService::start);
    publisher.start(listener);
    starting.join();
    listener.started("inventory-service", "reserves stock for each order", DemoShop.ms(next));
  }

  @Override
  public List<Role> roles(ShopClient client) {
    Ledger orders = wiring.orders();
    DemoBroker broker = wiring.servers().broker();
    return List.of(
        new OrderServiceRole(orderService, client, List.of()),
        publisher,
        new InventoryRole(inventoryService, broker, orders, wiring.inventory()));
  }

  @Override
  public void close() {
    publisher.stop();
    inventoryService.stop();
    orderService.stop();
  }

  private ServiceProcess process(String name, Class<?> main, String database, int connections) {
    return wiring.process(name, main, wiring.settings(name, database, connections));
  }
}
