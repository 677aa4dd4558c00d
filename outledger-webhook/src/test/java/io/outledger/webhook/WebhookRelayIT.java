// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.outledger.Message;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.servers.Await;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A relay whose only endpoint cuts the connection at one message. */
class WebhookRelayIT {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final TimeSource time = TimeSource.system();
  private final InMemoryLedger ledger = new InMemoryLedger(time);
  private final AtomicInteger cuts = new AtomicInteger();
  private final List<String> taken = new CopyOnWriteArrayList<>();
  private HttpServer endpoint;

  @BeforeEach
  void listen() throws IOException {
    endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext("/", this::takeOrCut);
    endpoint.start();
  }

  @AfterEach
  void close() {
    endpoint.stop(0);
  }

  private void takeOrCut(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      if (body.contains("harmful")) {
        cuts.incrementAndGet();
        return; // closes the connection, as nothing was answered
      }
      taken.add(exchange.getRequestHeaders().getFirst("webhook-id"));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  @Test
  void messageAtWhichTheConnectionIsCutEachTimeHoldsUpNoOthersForEver() {
    RunningRelay relay = RunningRelay.start(relay(), "webhook", time, Duration.ofSeconds(3));
    try {
      ledger.inNewTransaction(Message.to("orders", "order.placed").key("harmful").build());
      Await.until("the connection is cut", SOON, () -> cuts.get() > 0);
      Message behind = Message.to("orders", "order.placed").key("harmless").build();
      ledger.inNewTransaction(behind);
      Await.until(
          "the message behind is taken", SOON, () -> taken.contains(behind.id().toString()));
    } finally {
      relay.close();
    }
  }

  private Relay relay() {
    URI uri = URI.create("http://127.0.0.1:" + endpoint.getAddress().getPort() + "/");
    Relay relay =
        new Relay(
            ledger.relayStore("webhook", Start.EARLIEST),
            List.of(Route.only(WebhookPublisher.to(WebhookEndpoint.inOwnNetwork(uri)))),
            RelayOptions.defaults(),
            event -> {},
            new Relay.Surroundings(time, new Random(1)));
    ledger.onCommit(relay.wakeup()::signal);
    return relay;
  }
}
