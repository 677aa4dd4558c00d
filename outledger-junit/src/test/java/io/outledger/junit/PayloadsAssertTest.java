// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import static io.outledger.junit.OutledgerAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.event.EventType;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.jackson.JacksonSerializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of a class that loses what was written before fails the build. */
class PayloadsAssertTest {

  private static final String PLACED = "{\"orderId\":\"o-1\",\"amount\":1990}";

  @TempDir Path folder;

  record Placed(String orderId, int amount) {}

  record RenamedField(String orderId, int amountInCents) {}

  record WithAlias(String orderId, @JsonAlias("amount") int amountInCents) {}

  record WithGift(String orderId, int amount, boolean gift) {}

  record OtherType(String orderId, List<String> amount) {}

  @BeforeEach
  void placedIsStored() throws IOException {
    store("order.placed.v1.json", PLACED);
  }

  private void store(String name, String payload) throws IOException {
    Files.writeString(folder.resolve(name), payload);
  }

  private static <E> Events events(Class<E> type) {
    return events(type, described -> {});
  }

  private static <E> Events events(Class<E> type, Consumer<EventType.Builder<E>> more) {
    return Events.builder()
        .types(
            EventTypes.builder()
                .register(type, t -> more.accept(t.name("order.placed").topic("orders").keyless())))
        .serializer(JacksonSerializer.create())
        .build();
  }

  private void passes(Events events) {
    assertThatNoException().isThrownBy(() -> assertThat(events).readsPayloadsUnder(folder));
  }

  private void fails(Events events, String... texts) {
    assertThatThrownBy(() -> assertThat(events).readsPayloadsUnder(folder))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll(texts);
  }

  @Test
  void aRenamedFieldFailsUntilItHasItsFormerNameAsAnAlias() {
    passes(events(Placed.class));
    fails(
        events(RenamedField.class),
        "order.placed.v1.json: ",
        "RenamedField does not have the field amount",
        "@JsonAlias");
    passes(events(WithAlias.class));
  }

  @Test
  void aRenamedTypeFailsUntilItHasItsFormerName() {
    Events renamed = events(Placed.class, t -> t.name("order.created"));
    fails(renamed, "no class is registered for order.placed v1", "formerly(\"order.placed\")");
    passes(events(Placed.class, t -> t.name("order.created").formerly("order.placed")));
  }

  @Test
  void anAddedFieldNeedsANewPayloadAndTheOlderOneIsStillRead() throws IOException {
    fails(
        events(WithGift.class),
        "order.placed v1: no file has all fields of",
        "field gift: it is missing");
    Files.move(
        folder.resolve("order.placed.v1.json"), folder.resolve("order.placed.v1.before-gift.json"));
    store("order.placed.v1.json", "{\"orderId\":\"o-1\",\"amount\":1990,\"gift\":true}");
    passes(events(WithGift.class));
  }

  @Test
  void eachVersionThatAnUpcastReadsNeedsAPayload() throws IOException {
    Events two =
        events(
            RenamedField.class,
            t ->
                t.version(2)
                    .upcast(
                        1,
                        2,
                        ObjectNode.class,
                        json -> json.set("amountInCents", json.remove("amount"))));
    store("order.placed.v2.json", "{\"orderId\":\"o-1\",\"amountInCents\":1990}");
    passes(two);
    Files.delete(folder.resolve("order.placed.v1.json"));
    fails(
        two,
        "order.placed v2: there is no file order.placed.v1.json that is read as",
        "nothing tries its upcast");
  }

  @Test
  void anUpcastThatLosesAFieldFails() throws IOException {
    store("order.placed.v2.json", "{\"orderId\":\"o-1\",\"amountInCents\":1990}");
    fails(
        events(
            RenamedField.class,
            t -> t.version(2).upcast(1, 2, ObjectNode.class, json -> json.put("cents", 1))),
        "order.placed.v1.json: ",
        "RenamedField does not have the field amount, cents");
  }

  @Test
  void aFieldOfAnotherTypeFails() {
    fails(
        events(OtherType.class),
        "order.placed.v1.json: OUT-015",
        "field amount: its value cannot be read as");
  }

  @Test
  void aTypeWithoutAPayloadAndAFileOfAnotherNameFail() throws IOException {
    store("orders.json", PLACED);
    fails(
        events(Placed.class, t -> t.version(2)),
        "order.placed v2: there is no file order.placed.v2.json",
        "no class is registered for order.placed v1",
        "orders.json: its name is not <type>.v<version>.json");
    assertThatThrownBy(
            () -> assertThat(events(Placed.class)).readsPayloadsUnder(folder.resolve("nowhere")))
        .hasMessageContaining("order.placed v1: there is no file");
  }

  @Test
  void aMissingFileIsWrittenOnceAndHasToBeLookedAt() throws IOException {
    Events events = events(Placed.class, t -> t.name("urn:order/placed"));
    Path payloads = folder.resolve("payloads");
    assertThatThrownBy(
            () -> assertThat(events).writesPayloadsUnder(payloads, new Placed("o-1", 1990)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("have been written", "urn%3Aorder%2Fplaced.v1.json");
    assertThat(Files.readString(payloads.resolve("urn%3Aorder%2Fplaced.v1.json")))
        .isEqualTo(PLACED);
    assertThat(events)
        .writesPayloadsUnder(payloads, new Placed("another", 1))
        .readsPayloadsUnder(payloads);
  }
}
