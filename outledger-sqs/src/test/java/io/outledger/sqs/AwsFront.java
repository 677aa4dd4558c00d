// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stands before ElasticMQ and passes requests on, except where it is told to answer itself, in the
 * form that AWS documents: ElasticMQ knows no users, no throttling and no failures of its own.
 */
final class AwsFront implements AutoCloseable {

  private static final String TARGET = "X-Amz-Target";
  private static final int OK = 200;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient onwards = HttpClient.newHttpClient();
  private final URI behind = URI.create("http://127.0.0.1:" + SharedElasticMq.shared().port());
  private final Map<String, Rule> rules = new ConcurrentHashMap<>();
  private final List<String> actions = new CopyOnWriteArrayList<>();
  private final AtomicInteger requests = new AtomicInteger();

  /** What is done with a request instead of passing it on; null to pass it on after all. */
  interface Rule {
    @Nullable Answer answer(String body) throws Exception;
  }

  /**
   * What is answered.
   *
   * @param status of HTTP; 0 for no answer at all
   * @param error AWS's code, a semicolon and who is to blame; null for none
   */
  record Answer(int status, @Nullable String error, String body) {
    static final Answer NONE = new Answer(0, null, "");

    static Answer of(String body) {
      return new Answer(OK, null, body);
    }
  }

  AwsFront() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Sets what is done with one action's requests. */
  void rule(String action, Rule rule) {
    rules.put(action, rule);
  }

  /** Answers one action's requests with an error, each with a request id of its own. */
  void refuse(String action, int status, String code) {
    rule(action, body -> error(status, code));
  }

  Answer error(int status, String code) {
    String id = "request-" + requests.incrementAndGet();
    return new Answer(
        status,
        code + ";Sender",
        "{\"__type\":\"com.amazonaws.sqs#%s\",\"message\":\"said on purpose\",\"id\":\"%s\"}"
            .formatted(code, id));
  }

  void pass() {
    rules.clear();
  }

  /** Returns how many requests of an action have come. */
  long count(String action) {
    return actions.stream().filter(action::equals).count();
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      String target = exchange.getRequestHeaders().getFirst(TARGET);
      String action = target.substring(target.indexOf('.') + 1);
      actions.add(action);
      Rule rule = rules.get(action);
      Answer ruled = rule == null ? null : rule.answer(body);
      Answer answer = ruled == null ? passOn(action, body) : ruled;
      if (answer.status() > 0) {
        write(exchange, answer);
      }
    } catch (Exception e) {
      throw new IllegalStateException("cannot answer", e);
    }
  }

  private void write(HttpExchange exchange, Answer answer) throws IOException {
    byte[] bytes = answer.body().getBytes(UTF_8);
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "application/x-amz-json-1.0");
    headers.set("x-amzn-RequestId", "request-" + requests.incrementAndGet());
    if (answer.error() != null) {
      headers.set("x-amzn-query-error", answer.error());
    }
    exchange.sendResponseHeaders(answer.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** Sends a batch on. */
  Answer passOn(String body) throws IOException, InterruptedException {
    return passOn("SendMessageBatch", body);
  }

  /** Sends a request on. */
  Answer passOn(String action, String body) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        onwards.send(
            HttpRequest.newBuilder(behind)
                .header(TARGET, "AmazonSQS." + action)
                .header("Content-Type", "application/x-amz-json-1.0")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    String error = answer.headers().firstValue("x-amzn-query-error").orElse(null);
    return new Answer(answer.statusCode(), error, answer.body());
  }

  /**
   * Sends a batch on without one of its messages, and says of that one that it has failed.
   *
   * @param number of the message in the batch
   */
  Answer passOnWithout(String body, int number, String code, boolean isSendersFault)
      throws IOException, InterruptedException {
    int from = body.indexOf("{\"Id\":\"" + number + "\"");
    int to = body.indexOf("{\"Id\":\"" + (number + 1) + "\"");
    String failed =
        "{\"Failed\":[{\"Id\":\"%d\",\"Code\":\"%s\",".formatted(number, code)
            + "\"Message\":\"on purpose\",\"SenderFault\":%s}],".formatted(isSendersFault);
    if (to < 0 && number == 0) {
      return Answer.of(failed + "\"Successful\":[]}");
    }
    String rest =
        to < 0
            ? body.substring(0, from - 1) + body.substring(body.lastIndexOf(']'))
            : body.substring(0, from) + body.substring(to);
    return Answer.of(failed + passOn(rest).body().substring(1));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
