// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.outledger.Printable;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks a registry, within a time and a number of bytes, and says what its answer means.
 * Thread-safe.
 *
 * @param host the registry, for people
 * @param client asks
 * @param answerMax how long an answer is waited for
 */
record RegistryCalls(String host, HttpClient client, Duration answerMax) {

  private static final int BYTES_MAX = 1_048_576;
  private static final int WORDS_MAX = 1_000;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int UNPROCESSABLE = 422;

  /** What says nothing of what was asked for: credentials, a limit of requests, a gateway. */
  private static final Set<Integer> OF_ALL = Set.of(401, 407, 429, 502, 503, 504);

  private static final JsonMapper MAPPER = new JsonMapper();

  static HttpClient newClient() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .proxy(HttpClient.Builder.NO_PROXY)
        .build();
  }

  RegistryCalls within(Duration value) {
    return new RegistryCalls(host, client, value);
  }

  RegistryCalls by(HttpClient value) {
    return new RegistryCalls(host, value, answerMax);
  }

  /**
   * Asks.
   *
   * @param isWhole whether an answer contains what was asked for
   * @return never fails, and comes in time
   */
  CompletableFuture<RegistryAnswer> ask(HttpRequest.Builder request, Predicate<JsonNode> isWhole) {
    return ask(request, isWhole, answerMax);
  }

  /**
   * Asks.
   *
   * @param isWhole whether an answer contains what was asked for
   * @param left of {@code answerMax}, where others were asked before
   * @return never fails, and comes in time
   */
  CompletableFuture<RegistryAnswer> ask(
      HttpRequest.Builder request, Predicate<JsonNode> isWhole, Duration left) {
    if (left.isNegative() || left.isZero()) {
      return CompletableFuture.completedFuture(away(reason(new TimeoutException()), false));
    }
    CompletableFuture<HttpResponse<byte[]>> exchange =
        client.sendAsync(request.build(), head -> new BoundedBody(BYTES_MAX));
    return exchange
        .copy()
        .orTimeout(left.toNanos(), TimeUnit.NANOSECONDS)
        .handle(
            (response, failure) -> {
              if (failure == null) {
                return answer(response, isWhole);
              }
              exchange.cancel(true); // or it would read on
              Throwable cause = cause(failure);
              return away(reason(cause), cause instanceof BoundedBody.TooLargeException);
            });
  }

  private RegistryAnswer answer(HttpResponse<byte[]> response, Predicate<JsonNode> isWhole) {
    int status = response.statusCode();
    JsonNode body = json(response.body());
    if (status == 200) {
      return body != null && isWhole.test(body)
          ? new RegistryAnswer.Given(body)
          : away("an answer that is none of a schema registry", true);
    }
    String words = "status " + status + words(body);
    boolean isDecided =
        status == CONFLICT
            || status == UNPROCESSABLE
            || (status == NOT_FOUND && body != null && body.path("error_code").isInt());
    return isDecided
        ? new RegistryAnswer.Refused("the schema registry at " + host + " refuses it: " + words)
        : away(words, !OF_ALL.contains(status));
  }

  private RegistryAnswer away(String why, boolean mayBeOfOne) {
    return new RegistryAnswer.Away("the schema registry at " + host + ": " + why, mayBeOfOne);
  }

  private static @Nullable JsonNode json(byte[] body) {
    try {
      return MAPPER.readTree(body);
    } catch (IOException e) {
      return null;
    }
  }

  private static String words(@Nullable JsonNode body) {
    String message = body == null ? "" : body.path("message").asText();
    String cut = message.substring(0, Math.min(message.length(), WORDS_MAX));
    return cut.isEmpty() ? "" : ": " + Printable.text(cut);
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private String reason(Throwable cause) {
    return cause instanceof TimeoutException
        ? "no answer within " + Printable.span(answerMax)
        : String.valueOf(Printable.text(cause));
  }
}
