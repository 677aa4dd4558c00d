// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.order;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /orders}, with an {@code Idempotency-Key}. */
final class OrdersEndpoint implements HttpHandler {

  private static final Logger LOG = LoggerFactory.getLogger(OrdersEndpoint.class);
  private static final int BODY_BYTES_MAX = 64 * 1024;
  private static final int KEY_CHARS_MAX = 500;

  private final PlaceOrder placeOrder;
  private final ObjectMapper json = new ObjectMapper();

  OrdersEndpoint(PlaceOrder placeOrder) {
    this.placeOrder = placeOrder;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer = answer(exchange);
      byte[] body = json.writeValueAsBytes(answer.body());
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.status(), body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  private record Answer(int status, Object body) {
    static Answer problem(int status, String text) {
      return new Answer(status, Map.of("problem", text));
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      return Answer.problem(405, "orders are placed by POST");
    }
    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
    if (key == null || key.length() > KEY_CHARS_MAX || body.length > BODY_BYTES_MAX) {
      return Answer.problem(
          400,
          "an order needs an Idempotency-Key of at most 500 characters and a body of at most 64"
              + " kB");
    }
    try {
      OrderRequest request = json.readValue(body, OrderRequest.class);
      if (request == null) {
        return Answer.problem(400, "an order is a JSON object");
      }
      return new Answer(201, placeOrder.place(key, request));
    } catch (JacksonException e) {
      return Answer.problem(
          400,
          e.getCause() instanceof IllegalArgumentException refused
              ? String.valueOf(refused.getMessage())
              : "the body is not an order as JSON, encoded in UTF-8");
    } catch (InvalidMessageException e) {
      return Answer.problem(400, String.valueOf(e.getMessage()));
    } catch (RefusedException e) {
      return Answer.problem(422, String.valueOf(e.getMessage()));
    } catch (StoreException | SQLException e) {
      // Perhaps it was committed, perhaps not: the same key finds out.
      LOG.warn("an order has no answer yet: {}", Printable.text(e.getMessage()));
      return Answer.problem(503, "try again with the same Idempotency-Key");
    } catch (RuntimeException e) {
      LOG.error("an order failed", Printable.trace(e));
      return Answer.problem(500, "the order service has failed");
    }
  }
}
