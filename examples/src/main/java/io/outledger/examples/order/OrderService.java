// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import io.outledger.examples.Settings;
import io.outledger.examples.SqlScript;
import io.outledger.examples.contract.Contract;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Takes orders over HTTP. */
public final class OrderService {

  private static final int THREADS = 8;

  private OrderService() {}

  /**
   * Runs the service until the process ends.
   *
   * @param args the settings file
   */
  public static void main(String[] args) throws Exception {
    Settings settings = Settings.of(args);
    HikariDataSource database = settings.database();
    SqlScript.run(database, OrderService.class, "orders.sql");
    Schema.postgresql().apply(database);
    Outledger outledger =
        Outledger.builder(database)
            .events(Contract::register)
            .serializer(JacksonSerializer.create())
            .build();

    PlaceOrder placeOrder = new PlaceOrder(outledger, new OrderTable());
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.port());
    HttpServer server = HttpServer.create(address, 0);
    server.createContext("/orders", new OrdersEndpoint(placeOrder));
    server.setExecutor(Executors.newFixedThreadPool(THREADS));
    server.start();
    System.out.println("ready");
  }
}
