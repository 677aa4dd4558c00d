// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.outledger.Message;
import io.outledger.contracts.PoisonTrial;
import io.outledger.publish.Publisher;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A relay whose only endpoint fails at one message each time, as if it were away. */
class WebhookRelayIT {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final TimeSource time = TimeSource.system();
  private final InMemoryLedger ledger = new InMemoryLedger(time);
  private final AtomicInteger cuts = new AtomicInteger();
  private final List<String> taken = new CopyOnWriteArrayList<>();
  private volatile int refusal; // 0 for none: the connection is cut
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
        if (refusal != 0) {
          exchange.sendResponseHeaders(refusal, -1);
        }
        return; // closes the connection where nothing was answered
      }
      taken.add(exchange.getRequestHeaders().getFirst("webhook-id"));
      exchange.sendResponseHeaders(204, -1);
    }
  }

  @Test
  void messageAtWhichTheConnectionIsCutEachTimeHoldsUpNoOthersForEver() {
    RunningRelay relay = RunningRelay.start(relay(), "webhook", time, Duration.ofSeconds(3));
    try {
      ledger.inNewTransaction(message("harmful"));
      Await.until("the connection is cut", SOON, () -> cuts.get() > 0);
      Message behind = message("harmless");
      ledger.inNewTransaction(behind);
      Await.until(
          "the message behind is taken", SOON, () -> taken.contains(behind.id().toString()));
    } finally {
      relay.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 504})
  void messageToWhichAGatewayAnswersForItsServerEachTimeIsParkedAndAllOthersArrive(int status)
      throws InterruptedException {
    refusal = status;
    Message poison = message("harmful");
    List<Message> all = new ArrayList<>(List.of(poison));
    IntStream.range(0, 50).forEach(i -> all.add(message("k" + i)));
    try (PoisonTrial trial = PoisonTrial.start(publisher(), SOON)) {
      trial.append(all);
      all.addAll(trial.awaitOnlyParked(poison, () -> message("another")));
    }
    all.remove(poison);
    assertThat(taken).hasSameElementsAs(all.stream().map(each -> each.id().toString()).toList());
  }

  private static Message message(String key) {
    return Message.to("orders", "order.placed").key(key).build();
  }

  private Publisher publisher() {
    URI uri = URI.create("http://127.0.0.1:" + endpoint.getAddress().getPort() + "/");
    return WebhookPublisher.to(WebhookEndpoint.inOwnNetwork(uri));
  }

  private Relay relay() {
    Relay relay =
        new Relay(
            ledger.relayStore("webhook", Start.EARLIEST),
            List.of(Route.only(publisher())),
            RelayOptions.defaults(),
            event -> {},
            new Relay.Surroundings(time, new Random(1)));
    ledger.onCommit(relay.wakeup()::signal);
    return relay;
  }
}
