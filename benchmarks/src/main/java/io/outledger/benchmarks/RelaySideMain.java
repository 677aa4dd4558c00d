// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.outledger.jdbc.Outledger;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.store.Start;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.jspecify.annotations.Nullable;

/** The process of {@link RelaySide}: one relay at a time, begun and ended by requests. */
final class RelaySideMain {

  /** The variable of the environment with the JDBC URL: everybody can read a command line. */
  static final String JDBC_URL = "OUTLEDGER_BENCHMARK_JDBC_URL";

  static final String READY = "ready";

  private static final int OK = 200;
  private static final int REFUSED = 400;

  private final SmallPool database;
  private final Map<String, Object> kafka;
  private @Nullable Outledger running;

  private RelaySideMain(String jdbcUrl, String bootstrapServers) {
    database = new SmallPool(jdbcUrl);
    kafka = Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
  }

  /**
   * Serves until it is stopped or killed.
   *
   * @param args the port for requests, and the broker's address
   */
  public static void main(String[] args) throws IOException {
    RelaySideMain main = new RelaySideMain(System.getenv(JDBC_URL), args[1]);
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 0);
    server.createContext("/", main::answer);
    server.start();
    System.out.println(READY);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String[] words = exchange.getRequestURI().getPath().split("/", -1);
    int status = OK;
    byte[] reason = new byte[0];
    try {
      if (words[1].equals("begin")) {
        begin(words[2], words[3], words[4].equals("now") ? Start.NOW : Start.EARLIEST);
      } else {
        end();
      }
    } catch (RuntimeException e) {
      reason = e.toString().getBytes(StandardCharsets.UTF_8);
      status = REFUSED;
    }
    exchange.sendResponseHeaders(status, reason.length == 0 ? -1 : reason.length);
    exchange.getResponseBody().write(reason);
    exchange.close();
  }

  private void begin(String subscription, String topic, Start from) {
    Outledger outledger = Outledger.builder(database).withoutRetention().build();
    running = outledger;
    outledger
        .relay(subscription)
        .from(from)
        .to(KafkaPublisher.with(kafka).topics(given -> topic))
        .start();
  }

  private void end() {
    Outledger outledger = running;
    running = null;
    if (outledger != null) {
      outledger.close();
    }
  }
}
