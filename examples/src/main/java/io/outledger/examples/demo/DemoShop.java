// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.servers.Ports;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/** All processes of the demo: a database, a broker, and services that use Outledger. */
final class DemoShop implements AutoCloseable {

  private final Wiring wiring;
  private final Services services;

  private DemoShop(Wiring wiring, Services services) {
    this.wiring = wiring;
    this.services = services;
  }

  /** Told when something has been started. */
  interface Listener {
    void started(String what, String details, long afterMs);
  }

  /** Starts everything, and returns when it works. */
  static DemoShop start(Path folder, DemoOptions options, Listener listener) throws SQLException {
    long start = System.nanoTime();
    CompletableFuture<DemoBroker> startingBroker =
        CompletableFuture.supplyAsync(() -> startBroker(options.broker(), start, listener));
    DemoDatabase database = DemoDatabases.start(options.db(), folder);
    listener.started(database.title(), database.details(), ms(start));
    Database orders = new Database(database, "orders");
    Wiring wiring =
        new Wiring(
            folder,
            new Wiring.Servers(database, startingBroker.join()),
            Ports.free(),
            options.connect() ? Ledger.exactlyOnce(orders) : new Ledger(orders),
            new Ledger(new Database(database, "inventory")));
    DemoShop shop = new DemoShop(wiring, services(wiring, options));
    shop.services.start(listener);
    return shop;
  }

  URI ordersUri() {
    return wiring.ordersUri();
  }

  DemoDatabase database() {
    return wiring.servers().database();
  }

  DemoBroker broker() {
    return wiring.servers().broker();
  }

  /** Returns the order service's ledger. */
  Ledger orders() {
    return wiring.orders();
  }

  /** Returns the inventory service's ledger. */
  Ledger inventory() {
    return wiring.inventory();
  }

  Services services() {
    return services;
  }

  @Override
  public void close() throws SQLException {
    orders().close();
    inventory().close();
    services.close();
    broker().close();
    database().close();
  }

  /** Returns how long ago a moment of the monotonic clock was. */
  static long ms(long startNanos) {
    return (System.nanoTime() - startNanos) / 1_000_000;
  }

  private static Services services(Wiring wiring, DemoOptions options) {
    return options.connect() && wiring.servers().broker() instanceof KafkaDemoBroker kafka
        ? new SeparateServices(wiring, new ConnectPair(wiring, kafka))
        : wiring.servers().database().services(wiring);
  }

  private static DemoBroker startBroker(String name, long start, Listener listener) {
    DemoBroker broker = DemoBrokers.start(name);
    listener.started(broker.title(), broker.details(), ms(start));
    return broker;
  }
}
