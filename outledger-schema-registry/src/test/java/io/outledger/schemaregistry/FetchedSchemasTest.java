// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import static io.outledger.servers.ScriptedRegistry.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.OutledgerException;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.servers.ScriptedRegistry;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas come from a registry, for which nobody waits. */
final class FetchedSchemasTest {

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final SchemaRegistry registry = SchemaRegistry.at(peer.uri());
  private final SettableClock clock = new SettableClock();
  private final FetchedSchemas<String> fetched =
      new FetchedSchemas<>(registry, new Texts(), clock, FetchedSchemas.IDS_MAX);

  @AfterEach
  void close() {
    peer.close();
  }

  /** Asks again and again while the schema is being fetched. */
  private OutledgerException failure() {
    while (true) {
      try {
        fetched.of(7);
        throw new AssertionError("it is there");
      } catch (SchemaNotFetchedException e) {
        Thread.onSpinWait();
      } catch (OutledgerException e) {
        return e;
      }
    }
  }

  private String eventually() {
    while (true) {
      try {
        return fetched.of(7);
      } catch (OutledgerException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aSchemaIsThereOnceItWasFetched() {
    peer.answer(Texts.has("seven"));
    assertThatThrownBy(() -> fetched.of(7))
        .isInstanceOf(SchemaNotFetchedException.class)
        .hasMessageStartingWith("OUT-038")
        .hasMessageContainingAll("the id 7", "tried again");
    assertThat(eventually()).isEqualTo("seven");
    assertThat(fetched.of(7)).isEqualTo("seven");
    assertThat(peer.requests()).containsExactly("GET /schemas/ids/7 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | {'error_code':40403,'message':'Schema not found'} | Schema not found",
        "200 | {'schema':'broken','schemaType':'JSON'} | no schema of JSON Schema: too deep",
        "200 | {'schema':'syntax','schemaType':'PROTOBUF'} | of the type PROTOBUF, and not of JSON",
        "200 | {'schema':'{}'} | of the type AVRO, and not of JSON Schema",
        "200 | {'schema':'{}','schemaType':'JSON','references':[{'name':'a'}]} | refers to other"
      },
      quoteCharacter = '"')
  void anIdWithoutASchemaIsAFailureOfTheMessage(int status, String body, String why) {
    peer.answer(says(status, body.replace('\'', '"')));
    assertThat(failure())
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageContainingAll("the id 7", why);
  }

  @Test
  void aRegistryThatIsAwayIsAnOutageAndIsAskedAgainLater() {
    peer.answer(says(401, "{}"));
    assertThat(failure())
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContaining("status 401");
    peer.answer(Texts.has("seven"));
    assertThatThrownBy(() -> fetched.of(7)).isInstanceOf(DestinationUnavailableException.class);
    assertThat(peer.requests()).containsExactly("GET /schemas/ids/7 ", "GET /subjects ");

    clock.advance(Duration.ofSeconds(6));
    assertThat(eventually()).isEqualTo("seven");
    assertThat(peer.requests()).hasSize(3);
  }

  @Test
  void anIdThatTheRegistryLearnsLaterIsReadThen() {
    peer.answer(says(404, "{\"error_code\":40403}"));
    assertThat(failure()).isInstanceOf(InvalidMessageException.class);
    clock.advance(Duration.ofSeconds(6));
    peer.answer(Texts.has("seven"));
    assertThat(eventually()).isEqualTo("seven");
  }

  @Test
  void schemasOfSubjectsAreFetchedAtTheStart() {
    peer.answer(
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          String id = path.substring(path.length() - 1);
          (path.endsWith("/versions")
                  ? says(200, "[6, 7]")
                  : says(200, "{\"id\":" + id + "," + Texts.body("no " + id).substring(1)))
              .to(exchange);
        });
    FetchedSchemas<String> prepared =
        FetchedSchemas.from(registry, new Texts(), List.of("orders-value"));
    peer.close();
    assertThat(prepared.of(7)).isEqualTo("no 7");
    assertThat(prepared.of(6)).isEqualTo("no 6");
  }

  @Test
  void theNewestHundredVersionsAreFetchedAtTheStart() {
    String versions = IntStream.rangeClosed(1, 130).boxed().toList().toString();
    peer.answer(
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          String last = path.substring(path.lastIndexOf('/') + 1);
          (last.equals("versions")
                  ? says(200, versions)
                  : says(200, "{\"id\":" + last + "," + Texts.body("no " + last).substring(1)))
              .to(exchange);
        });
    FetchedSchemas<String> prepared =
        FetchedSchemas.from(registry, new Texts(), List.of("orders-value"));
    peer.close();
    assertThat(prepared.size()).isEqualTo(100);
    assertThat(prepared.of(31)).isEqualTo("no 31");
    assertThat(prepared.of(130)).isEqualTo("no 130");
  }

  @ParameterizedTest
  @CsvSource({"403", "500"})
  void whatIsForbiddenOfOneSubjectKeepsNoOtherBack(int status) {
    peer.answer(
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          (path.startsWith("/subjects/secret")
                  ? says(status, "{}")
                  : path.endsWith("/versions")
                      ? says(200, "[7]")
                      : says(200, "{\"id\":7," + Texts.body("seven").substring(1)))
              .to(exchange);
        });
    FetchedSchemas<String> prepared =
        FetchedSchemas.from(registry, new Texts(), List.of("secret-value", "orders-value"));
    peer.close();
    assertThat(prepared.of(7)).isEqualTo("seven");
  }

  @Test
  void aStartDoesNotNeedTheRegistry() {
    List<String> subjects = List.of("orders-value", "payments-value");
    peer.answer(says(404, "{\"error_code\":40401}"));
    FetchedSchemas.from(registry, new Texts(), subjects);
    assertThat(peer.requests()).hasSize(2);
    peer.answer(says(503, "{}"));
    FetchedSchemas.from(registry, new Texts(), subjects);
    assertThat(peer.requests()).hasSize(3); // and not the next one, too
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    List<ThrowingCallable> calls =
        List.of(
            () -> SchemaSource.of(null),
            () -> SchemaSource.of(registry, (String[]) null),
            () -> SchemaSource.of(registry, (String) null),
            () -> SchemaSource.of(registry).fetched(null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }
}
