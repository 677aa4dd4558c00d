// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.outledger.inbox.Received;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A receiver of webhooks: Java's own HTTP server, and a reader that verifies what it gets. */
final class Receiving implements AutoCloseable {

  static final WebhookSecret SECRET = WebhookSecret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  static final String SOURCE = "/shop";

  private static final int BODY_BYTES_MAX = 600_000;

  private final WebhookReader reader =
      WebhookReader.of("shop", SECRET).binaryFrom(SOURCE).bodyBytesMax(BODY_BYTES_MAX);
  private final List<Received> arrivals = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  Receiving() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::receive);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  synchronized List<Received> arrivals() {
    return List.copyOf(arrivals);
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      InputStream coming = exchange.getRequestBody();
      byte[] body = coming.readNBytes(BODY_BYTES_MAX + 1);
      // Were any of it left, the server would reset the connection, perhaps before the answer came.
      coming.transferTo(OutputStream.nullOutputStream());
      try {
        note(reader.read(exchange.getRequestHeaders(), body));
        exchange.sendResponseHeaders(204, -1);
      } catch (WebhookRefusedException e) {
        exchange.sendResponseHeaders(e.status(), -1);
      }
    }
  }

  private synchronized void note(Received message) {
    arrivals.add(message);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
