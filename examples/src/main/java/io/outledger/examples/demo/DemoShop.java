// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.examples.inventory.InventoryService;
import io.outledger.examples.order.OrderService;
import io.outledger.examples.relay.RelayService;
import io.outledger.servers.Ports;
import io.outledger.servers.Postgres;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** All processes of the demo: two servers, and four processes of services that use Outledger. */
final class DemoShop implements AutoCloseable {

  private final Path folder;
  private final int port = Ports.free();
  private final Postgres postgres;
  private final DemoBroker broker;
  private final Ledger orders;
  private final Ledger inventory;
  private final RelayPair.Ownership ownership = new RelayPair.Ownership();
  private final ServiceProcess orderService;
  private final ServiceProcess inventoryService;
  private final List<ServiceProcess> relays;

  private DemoShop(Path folder, Postgres postgres, DemoBroker broker) {
    this.folder = folder;
    this.postgres = postgres;
    this.broker = broker;
    this.orders = new Ledger(new Database(postgres, "orders"));
    this.inventory = new Ledger(new Database(postgres, "inventory"));
    this.orderService = service("order-service", OrderService.class, line -> {});
    this.inventoryService =
        service(
            "inventory-service",
            InventoryService.class,
            line -> inventory.heard("inventory-service", line));
    this.relays = List.of(relay("relay-1"), relay("relay-2"));
  }

  /** Told when something has been started. */
  interface Listener {
    void started(String what, String details, long afterMs);
  }

  /** Starts everything, and returns when it works. */
  static DemoShop start(Path folder, String brokerName, Listener listener)
      throws IOException, SQLException {
    long start = System.nanoTime();
    CompletableFuture<DemoBroker> startingBroker =
        CompletableFuture.supplyAsync(() -> startBroker(brokerName, start, listener));
    Postgres postgres = Postgres.start();
    for (String name : List.of("orders", "inventory")) {
      try (Connection connection = postgres.connect("postgres");
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + name);
      }
    }
    listener.started(
        "PostgreSQL " + postgres.version(), "databases orders and inventory, fsync on", ms(start));
    DemoShop shop = new DemoShop(folder, postgres, startingBroker.join());
    shop.startServices(listener);
    return shop;
  }

  URI ordersUri() {
    return URI.create("http://127.0.0.1:" + port + "/orders");
  }

  Postgres postgres() {
    return postgres;
  }

  DemoBroker broker() {
    return broker;
  }

  /** Returns the order service's ledger. */
  Ledger orders() {
    return orders;
  }

  /** Returns the inventory service's ledger. */
  Ledger inventory() {
    return inventory;
  }

  ServiceProcess orderService() {
    return orderService;
  }

  ServiceProcess inventoryService() {
    return inventoryService;
  }

  List<ServiceProcess> relays() {
    return relays;
  }

  RelayPair.Ownership ownership() {
    return ownership;
  }

  @Override
  public void close() throws SQLException {
    orders.close();
    inventory.close();
    relays.forEach(ServiceProcess::stop);
    inventoryService.stop();
    orderService.stop();
    broker.close();
    postgres.close();
  }

  private static DemoBroker startBroker(String name, long start, Listener listener) {
    DemoBroker broker = DemoBrokers.start(name);
    listener.started(broker.title(), broker.details(), ms(start));
    return broker;
  }

  private void startServices(Listener listener) throws IOException {
    writeSettings(orderService.name(), "orders", 8, port);
    writeSettings(inventoryService.name(), "inventory", 4, 0);
    for (ServiceProcess relay : relays) {
      writeSettings(relay.name(), "orders", 3, 0);
    }
    long start = System.nanoTime();
    orderService.start();
    listener.started("order-service", "POST " + ordersUri(), ms(start));
    long next = System.nanoTime();
    CompletableFuture<Void> starting = CompletableFuture.runAsync(inventoryService::start);
    relays.forEach(ServiceProcess::start);
    listener.started("relay-1, relay-2", "one publishes, one stands by; lease 2 s", ms(next));
    starting.join();
    listener.started("inventory-service", "reserves stock for each order", ms(next));
  }

  private ServiceProcess relay(String name) {
    return service(
        name,
        RelayService.class,
        line -> {
          ownership.heard(name, line);
          orders.heard(name, line);
        });
  }

  private ServiceProcess service(String name, Class<?> main, Consumer<String> lines) {
    return new ServiceProcess(name, main, folder, lines);
  }

  private void writeSettings(String name, String database, int connections, int port)
      throws IOException {
    Properties settings = new Properties();
    settings.setProperty(
        "database.url", "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/" + database);
    settings.setProperty("database.user", postgres.user());
    settings.setProperty("database.password", postgres.password());
    settings.setProperty("database.connections", Integer.toString(connections));
    settings.putAll(broker.settings());
    settings.setProperty("port", Integer.toString(port));
    Path file =
        Files.createFile(
            folder.resolve(name + ".properties"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      settings.store(out, null);
    }
  }

  private static long ms(long startNanos) {
    return (System.nanoTime() - startNanos) / 1_000_000;
  }
}
