// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import static io.outledger.servers.ScriptedRegistry.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.schemaregistry.RegistrySchema.Reference;
import io.outledger.servers.ScriptedRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaRegistryTest {

  private static final RegistrySchema FIRST =
      RegistrySchema.of(RegistrySchema.Type.AVRO, "shop.OrderPlaced", "{\"type\":\"record\"}");

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final SchemaRegistry registry = SchemaRegistry.at(peer.uri());

  @AfterEach
  void close() {
    peer.close();
  }

  @Test
  void aSchemaIsRegisteredUnderItsSubject() {
    peer.answer(says(200, "{\"id\":7}"));
    assertThat(registry.register("orders/a value", FIRST)).isEqualTo(7);
    assertThat(peer.requests())
        .singleElement()
        .asString()
        .startsWith("POST /subjects/orders%2Fa%20value/versions {\"schema\":\"{\\\"type\\\"");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void anIdThatNoRegistryGivesIsNotTaken(int id) {
    peer.answer(says(200, "{\"id\":" + id + "}"));
    assertThatThrownBy(() -> registry.register("s", FIRST))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContaining("an answer that is none of a schema registry");
  }

  @Test
  void theLanguageIsSaidWhereItIsNotAvro() {
    peer.answer(says(200, "{\"id\":7}"));
    registry.register("s", FIRST);
    registry.register("s", RegistrySchema.of(RegistrySchema.Type.JSON, "Order", "{}"));
    assertThat(peer.requests().get(0)).doesNotContain("schemaType");
    assertThat(peer.requests().get(1)).endsWith("{\"schema\":\"{}\",\"schemaType\":\"JSON\"}");
  }

  private static RegistrySchema file(String name, Reference... references) {
    return new RegistrySchema(
        RegistrySchema.Type.PROTOBUF, name, "of " + name, List.of(references));
  }

  private static final Reference MONEY = new Reference("money.proto", file("money.proto"));

  private static final RegistrySchema BILL =
      file("Bill", MONEY, new Reference("order.proto", file("order.proto", MONEY)));

  @Test
  void whatASchemaRefersToIsRegisteredBeforeItAndOnce() {
    peer.answer(says(200, "{\"id\":7,\"version\":3}"));
    assertThat(registry.register("bills-value", BILL)).isEqualTo(7);
    String money = "{\"name\":\"money.proto\",\"subject\":\"money.proto\",\"version\":3}";
    assertThat(peer.requests())
        .extracting(request -> request.substring(0, request.indexOf(" {")))
        .containsExactly(
            "POST /subjects/money.proto/versions",
            "POST /subjects/money.proto",
            "POST /subjects/order.proto/versions",
            "POST /subjects/order.proto",
            "POST /subjects/bills-value/versions");
    assertThat(peer.requests().get(0)).doesNotContain("references");
    assertThat(peer.requests().get(3)).contains("\"references\":[" + money + "]");
    assertThat(peer.requests().get(4))
        .contains("\"references\":[" + money + "," + money.replace("money", "order") + "]");
  }

  @Test
  void whatASchemaRefersToIsNamedIfItIsRefused() {
    peer.answer(
        exchange ->
            (exchange.getRequestURI().getPath().contains("order.proto")
                    ? says(409, "{\"message\":\"FIELD_REMOVED\"}")
                    : says(200, "{\"id\":7,\"version\":3}"))
                .to(exchange));
    assertThatThrownBy(() -> registry.register("bills-value", BILL))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("Bill as bills-value", "order.proto, which it needs", "REMOVED");
    peer.answer(says(503, "{}"));
    assertThatThrownBy(() -> registry.register("bills-value", BILL))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContainingAll("money.proto, which it needs", "status 503");
  }

  @Test
  void oneTimeBoundsAllQuestionsOfASchema() {
    ScriptedRegistry.Answer given = says(200, "{\"id\":7,\"version\":3}");
    peer.answer(
        exchange ->
            CompletableFuture.delayedExecutor(400, TimeUnit.MILLISECONDS)
                .execute(
                    () -> {
                      try {
                        given.to(exchange);
                      } catch (IOException e) { // it has hung up, since its time was over
                        exchange.close();
                      }
                    }));
    assertThatThrownBy(() -> registry.answerMax(Duration.ofSeconds(1)).register("s", BILL))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContainingAll("which it needs", "no answer within 1 s");
    assertThat(peer.requests()).hasSizeLessThan(4);
  }

  @Test
  void thePathOfTheAddressIsKept() {
    peer.answer(says(200, "{\"id\":7}"));
    SchemaRegistry.at(URI.create(peer.uri() + "/apis/ccompat/v7/")).register("s", FIRST);
    assertThat(peer.requests().get(0)).startsWith("POST /apis/ccompat/v7/subjects/s/versions ");
  }

  @Test
  void credentialsAndHeadersAreSent() {
    peer.answer(
        exchange -> {
          boolean isKnown =
              "Basic c2hvcDpzM2NyM3Q="
                      .equals(exchange.getRequestHeaders().getFirst("Authorization"))
                  && "a".equals(exchange.getRequestHeaders().getFirst("X-Tenant"));
          says(isKnown ? 200 : 401, "{\"id\":7}").to(exchange);
        });
    SchemaRegistry known = registry.basicAuth("shop", "s3cr3t").header("X-Tenant", "a");
    assertThat(known.register("s", FIRST)).isEqualTo(7);
    assertThat(known.toString()).startsWith("SchemaRegistry[127.0.0.1:").doesNotContain("c2hvc");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "409 | {\"error_code\":409,\"message\":\"READER_FIELD_MISSING_DEFAULT_VALUE: amount\"}",
        "422 | {\"error_code\":42201,\"message\":\"no schema\"}",
        "404 | {\"error_code\":40401,\"message\":\"no subject\"}"
      })
  void aSchemaThatTheRegistryRefusesIsAConfigurationToCorrect(int status, String body) {
    peer.answer(says(status, body));
    assertThatThrownBy(() -> registry.register("orders-value", FIRST))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021")
        .hasMessageContainingAll(
            FIRST.name(),
            "as orders-value",
            "refuses it: status " + status + ": ",
            body.replaceAll(".*message\":\"(.*)\".*", "$1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "401 | {\"error_code\":401,\"message\":\"who are you\"} | status 401: who are you",
        "403 | no | status 403",
        "404 | <html>nothing of a registry | status 404",
        "429 | {} | status 429",
        "500 | {\"message\":7} | status 500: 7",
        "302 | {\"id\":7} | status 302",
        "200 | {} | an answer that is none of a schema registry",
        "200 | {\"id\":\"seven\"} | an answer that is none of a schema registry",
        "200 | [7 | an answer that is none of a schema registry",
        "200 | '' | an answer that is none of a schema registry"
      })
  void anAnswerThatSaysNothingOfTheSchemaIsAnOutage(int status, String body, String why) {
    peer.answer(says(status, body));
    unavailable(registry, why);
  }

  private void unavailable(SchemaRegistry asked, String why) {
    assertThatThrownBy(() -> asked.register("orders-value", FIRST))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageStartingWith("OUT-022 the schema registry at 127.0.0.1:")
        .hasMessageEndingWith(why);
  }

  @Test
  void anAnswerThatDoesNotComeOrEndIsAnOutage() {
    SchemaRegistry hasty = registry.answerMax(Duration.ofMillis(300));
    peer.answer(exchange -> {});
    unavailable(hasty, "no answer within 300 ms");
    peer.answer(ScriptedRegistry.fallsSilent());
    unavailable(hasty, "no answer within 300 ms");
  }

  @Test
  void anAnswerWithoutEndIsBrokenOff() {
    peer.answer(ScriptedRegistry.talksOn());
    unavailable(registry, "the answer has more than 1048576 bytes");
  }

  @Test
  void aRegistryThatIsNotThereIsAnOutage() {
    peer.close();
    assertThatThrownBy(() -> registry.register("orders-value", FIRST))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContaining("ConnectException");
  }

  @Test
  void anInterruptIsKept() {
    peer.answer(exchange -> {});
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> registry.register("orders-value", FIRST))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageEndingWith("interrupted while waiting for the schema registry");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void wordsOfARegistryAreBoundedAndPrintable() {
    peer.answer(says(500, "{\"message\":\"" + "x".repeat(100_000) + "\\u001b[2J\"}"));
    assertThatThrownBy(() -> registry.register("s", FIRST))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(2_000));
    peer.answer(says(500, "{\"message\":\"a\\u001b[2J\"}"));
    assertThatThrownBy(() -> registry.register("s", FIRST)).hasMessageNotContaining("\u001b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "registry:8081",
        "ftp://registry",
        "/subjects",
        "http://",
        "http://user:pw@registry",
        "http://registry?a=b",
        "http://registry#a"
      })
  void whatIsNoAddressIsRefused(String address) {
    assertThatThrownBy(
            () -> SchemaRegistry.at(URI.create(address.equals("http://") ? "http:///" : address)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageNotContaining("pw@");
  }

  @Test
  void settingsAreChecked() {
    List<ThrowingCallable> calls =
        List.of(
            () -> registry.answerMax(Duration.ZERO),
            () -> registry.answerMax(Duration.ofSeconds(-1)),
            () -> registry.answerMax(Duration.ofMinutes(2)),
            () -> registry.header("Host", "CANARY"),
            () -> registry.header("a b", "CANARY"),
            () -> registry.header("a", "CANARY\n"));
    assertThat(calls)
        .allSatisfy(
            call ->
                assertThatThrownBy(call)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageNotContaining("CANARY"));
  }

  @Test
  void anotherClientIsUsed() {
    peer.answer(says(200, "{\"id\":7}"));
    assertThat(registry.client(HttpClient.newHttpClient()).register("s", FIRST)).isEqualTo(7);
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    List<ThrowingCallable> calls =
        List.of(
            () -> SchemaRegistry.at(null),
            () -> registry.answerMax(null),
            () -> registry.client(null),
            () -> registry.header(null, "a"),
            () -> registry.header("a", null),
            () -> registry.basicAuth(null, "a"),
            () -> registry.basicAuth("a", null),
            () -> registry.register(null, FIRST),
            () -> registry.register("a", null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }
}
