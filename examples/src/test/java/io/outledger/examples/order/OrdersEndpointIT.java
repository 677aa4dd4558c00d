// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import io.outledger.examples.SqlScript;
import io.outledger.examples.contract.Contract;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order service, and clients that mean it no good. */
class OrdersEndpointIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int HALF_SENT = 32;
  private static final String GOOD =
      "{\"customer\":\"c-1\",\"product\":\"product-3\",\"quantity\":1}";

  private final HikariDataSource database = new HikariDataSource();
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer server;

  @BeforeEach
  void serve() throws Exception {
    Postgres postgres = Postgres.shared();
    database.setJdbcUrl(postgres.jdbcUrl(postgres.createDatabase()));
    SqlScript.run(database, PlaceOrder.class, "orders.sql");
    PostgreSql.schema().apply(database);
    Outledger outledger =
        Outledger.builder(database)
            .events(Contract::register)
            .serializer(JacksonSerializer.create())
            .build();
    PlaceOrder placeOrder = new PlaceOrder(outledger, new OrderTable());
    server = OrderService.serve(0, new OrdersEndpoint(placeOrder));
  }

  @AfterEach
  void stop() {
    server.stop(0);
    database.close();
  }

  private HttpResponse<String> order(String key, String body)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/orders");
    return client.send(
        HttpRequest.newBuilder(uri)
            .timeout(PATIENCE)
            .header("Idempotency-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void requestsThatAreSentByHalfStopNobodyAndAreHungUpOn() throws Exception {
    List<Socket> halves = new ArrayList<>();
    try {
      for (int i = 0; i < HALF_SENT; i++) {
        Socket half = new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort());
        halves.add(half);
        String head = "POST /orders HTTP/1.1\r\nHost: shop\r\nIdempotency-Key: h\r\n";
        String body = i % 2 == 0 ? "" : "Content-Length: 100\r\n\r\n{\"customer\":";
        half.getOutputStream().write((head + body).getBytes(US_ASCII));
      }
      assertThat(order("key-1", GOOD).statusCode()).isEqualTo(201);
      for (Socket half : halves) {
        half.setSoTimeout((int) PATIENCE.toMillis());
        assertThat(answer(half)).doesNotContain("201");
      }
    } finally {
      for (Socket half : halves) {
        half.close();
      }
    }
  }

  /** Reads until the server hangs up; throws where it never does. */
  private static String answer(Socket socket) throws IOException {
    try {
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    } catch (SocketException e) {
      return "reset";
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a\\r\\nb", "\\n", "a\\u0000", "\\u001b[2J", "\\u2028", "\\ud800", " ", "\\u0085"})
  void textThatIsNotPrintableIsTheClientsMistake(String text) throws Exception {
    for (String field : List.of("customer", "product")) {
      String other = field.equals("customer") ? "product" : "customer";
      HttpResponse<String> answer =
          order(
              "key-2",
              "{\"%s\":\"%s\",\"%s\":\"product-3\",\"quantity\":1}".formatted(field, text, other));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains(field + " must have 1 to 100 characters, all printable");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "{", "{}", "\"\"", "7", "{\"quantity\":\"many\"}"})
  void whatIsNoOrderIsTheClientsMistake(String body) throws Exception {
    assertThat(order("key-3", body).statusCode()).isEqualTo(400);
    assertThat(order("k".repeat(501), GOOD).statusCode()).isEqualTo(400);
  }
}
