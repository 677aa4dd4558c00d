// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places orders. Where no answer comes it asks again under the same Idempotency-Key, until it knows
 * what became of the order. Thread-safe.
 */
final class ShopClient {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int CUSTOMERS = 40;
  private static final int PRODUCTS = 20;
  private static final int QUANTITY_MAX = 9;
  private static final int PAUSE_MS_MAX = 400;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final ObjectMapper json = new ObjectMapper();
  private final URI service;
  private final long seed;
  private final CountDownLatch never = new CountDownLatch(1);
  private final Collection<Answer> answers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger inProgress = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger askedAgain = new AtomicInteger();

  ShopClient(URI service, long seed) {
    this.service = service;
    this.seed = seed;
  }

  /** Returns how many requests have been sent and not been answered. */
  int inProgress() {
    return inProgress.get();
  }

  /** Returns how many orders have their answer. */
  int answered() {
    return answered.get();
  }

  /** Returns how often a request was sent again under the same key. */
  int askedAgain() {
    return askedAgain.get();
  }

  Collection<Answer> answers() {
    return answers;
  }

  /** Places an order and returns when it has an answer. What is ordered depends on the seed. */
  void place(int number) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
    UUID key = new UUID(random.nextLong(), random.nextLong());
    HttpRequest request = request(key, random);
    while (!isAnswered(key, request)) {
      askedAgain.incrementAndGet();
      boolean stop = never.await(random.nextInt(PAUSE_MS_MAX), TimeUnit.MILLISECONDS);
      if (stop) {
        return;
      }
    }
  }

  private HttpRequest request(UUID key, SplittableRandom random) {
    Map<String, Object> order =
        Map.of(
            "customer", "customer-" + (1 + random.nextInt(CUSTOMERS)),
            "product", "product-" + (1 + random.nextInt(PRODUCTS)),
            "quantity", 1 + random.nextInt(QUANTITY_MAX));
    try {
      return HttpRequest.newBuilder(service)
          .timeout(TIMEOUT)
          .header("Content-Type", "application/json")
          .header("Idempotency-Key", key.toString())
          .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(order)))
          .build();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isAnswered(UUID key, HttpRequest request) throws InterruptedException {
    inProgress.incrementAndGet();
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return take(key, response);
    } catch (IOException e) {
      return false; // refused, cut off or too late: perhaps the order was made, perhaps not
    } finally {
      inProgress.decrementAndGet();
    }
  }

  private boolean take(UUID key, HttpResponse<byte[]> response) throws IOException {
    switch (response.statusCode()) {
      case 201 -> {
        JsonNode order = json.readTree(response.body());
        answer(new Answer(key, UUID.fromString(order.get("id").asText())));
        return true;
      }
      case 422 -> {
        answer(new Answer(key, null));
        return true;
      }
      case 500, 503 -> {
        return false;
      }
      default ->
          throw new IllegalStateException(
              "the order service answered "
                  + response.statusCode()
                  + ": "
                  + new String(response.body(), java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  private void answer(Answer answer) {
    answers.add(answer);
    answered.incrementAndGet();
  }
}
