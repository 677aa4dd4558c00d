// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Requests to a process on this machine, sent again until it has an answer. Thread-safe. */
final class Rest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(90);
  private static final int BUSY = 409;
  private static final int SUCCESS_END = 300;
  private static final int FAULT = 500;

  private final HttpClient http = HttpClient.newHttpClient();
  private final int port;
  private final Supplier<String> output;

  Rest(int port, Supplier<String> output) {
    this.port = port;
    this.output = output;
  }

  /** Asks once, and returns whether it answers well. */
  boolean isUp(String path) {
    try {
      return isSuccess(http.send(request("GET", path, ""), BodyHandlers.ofString()));
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Does something without contents that has to succeed, and returns the answer. */
  String require(String method, String path) {
    return require(method, path, "");
  }

  /** The same with JSON. A worker that joins its group answers that it is busy: it waits. */
  String require(String method, String path, String json) {
    HttpRequest request = request(method, path, json);
    AtomicReference<HttpResponse<String>> last = new AtomicReference<>();
    Await.until(
        () -> method + " " + path + " is answered; its output:\n" + output.get(),
        PATIENCE,
        () -> {
          HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
          last.set(answer);
          return answer.statusCode() != BUSY && answer.statusCode() < FAULT;
        });
    HttpResponse<String> answer = Objects.requireNonNull(last.get());
    if (!isSuccess(answer)) {
      throw new IllegalStateException(method + " " + path + " is refused: " + answer.body());
    }
    return answer.body();
  }

  private HttpRequest request(String method, String path, String json) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(ANSWER_MAX)
        .header("Content-Type", "application/json")
        .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
        .build();
  }

  private static boolean isSuccess(HttpResponse<String> answer) {
    return answer.statusCode() < SUCCESS_END;
  }
}
