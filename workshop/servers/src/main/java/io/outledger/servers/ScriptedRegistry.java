// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A peer in place of a schema registry, in this process, which answers as a test wants it to and
 * remembers what it was asked. Thread-safe.
 */
public final class ScriptedRegistry implements AutoCloseable {

  /** Answers a request. */
  @FunctionalInterface
  public interface Answer {

    /** Answers. */
    void to(HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile Answer answer = says(404, "{}");

  /** Starts one on a free port of 127.0.0.1, which knows nothing. */
  public ScriptedRegistry() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          requests.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI().getRawPath()
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          answer.to(exchange);
        });
    server.start();
  }

  /** Returns its address. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Answers from now on in this way. */
  public void answer(Answer value) {
    answer = value;
  }

  /** Answers with a status and a body. */
  public static Answer says(int status, String body) {
    return exchange -> {
      byte[] bytes = body.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    };
  }

  /** Begins to answer, and never ends it. */
  public static Answer fallsSilent() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
    };
  }

  /** Answers without end, until the line is cut. */
  public static Answer talksOn() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 0);
      byte[] more = " ".repeat(65_536).getBytes(UTF_8);
      try (OutputStream out = exchange.getResponseBody()) {
        for (int i = 0; i < 10_000; i++) {
          out.write(more);
        }
      }
    };
  }

  /** Returns method, path and body of each request. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
