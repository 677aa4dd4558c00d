// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import io.outledger.examples.Settings;
import io.outledger.examples.SqlScript;
import io.outledger.examples.contract.Contract;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Takes orders over HTTP. */
public final class OrderService {

  /** Many more than the pool has connections: a thread that waits for its client costs little. */
  private static final int THREADS = 64;

  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration READ_MAX = Duration.ofSeconds(5);
  private static final Duration WRITE_MAX = Duration.ofSeconds(30);

  private OrderService() {}

  /**
   * Runs the service until the process ends.
   *
   * @param args the settings file
   */
  public static void main(String[] args) throws Exception {
    start(Settings.of(args[0]));
    System.out.println("ready");
  }

  /** Starts the service in this process. */
  public static void start(Settings settings) throws IOException, SQLException {
    HikariDataSource database = settings.database();
    SqlScript.run(database, OrderService.class, "orders.sql");
    Schema.of(database).apply(database);
    Outledger outledger =
        Outledger.builder(database)
            .events(Contract::register)
            .serializer(JacksonSerializer.create())
            .build();

    serve(settings.port(), new OrdersEndpoint(new PlaceOrder(outledger, new OrderTable())));
  }

  /** Starts the server; the port is a free one where 0 is given. */
  static HttpServer serve(int port, HttpHandler orders) throws IOException {
    // By default the server waits forever for the rest of a request; it reads these when it is
    // loaded.
    System.setProperty("sun.net.httpserver.maxReqTime", Long.toString(READ_MAX.toSeconds()));
    System.setProperty("sun.net.httpserver.maxRspTime", Long.toString(WRITE_MAX.toSeconds()));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/orders", orders);
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS, THREADS, IDLE.toSeconds(), TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    threads.allowCoreThreadTimeOut(true);
    server.setExecutor(threads);
    server.start();
    return server;
  }
}
