// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.event.EventHandlers.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What becomes of messages and fields whose name the application has changed. */
final class RenamedEventsTest {

  record Placed(String orderId) {}

  record Cancelled(String orderId) {}

  /** An id, then the names of fields that no class has. */
  private static final class Text implements PayloadSerializer {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public void check(Class<?> type) {
      if (type == Cancelled.class) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION, "a Cancelled cannot be read");
      }
    }

    @Override
    public byte[] write(Object event) {
      return event.toString().getBytes(UTF_8);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
      List<String> words = List.of(new String(payload, UTF_8).split(" ", 0));
      words.subList(1, words.size()).forEach(unknownFields);
      return type.cast(new Placed(words.get(0)));
    }

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(
          payload,
          type,
          field -> {
            throw new InvalidMessageException(ErrorCode.UNREADABLE_PAYLOAD, field);
          });
    }
  }

  private static EventTypes types(Consumer<EventType.Builder<Placed>> placed) {
    return EventTypes.builder()
        .register(
            Placed.class,
            type -> placed.accept(type.name("order.placed").topic("o").key(Placed::orderId)))
        .build();
  }

  private final Events events =
      Events.builder()
          .types(types(type -> type.formerly("placed", "order.new")))
          .serializer(new Text())
          .build();

  private static Message message(String type, String payload) {
    return Message.to("orders", type).payload(payload.getBytes(UTF_8)).build();
  }

  @Test
  void aMessageWithAFormerNameGoesToTheHandlerOfTheClass() throws Exception {
    List<Object> handled = new ArrayList<>();
    EventHandlers<String> handlers =
        EventHandlers.of(events, h -> h.on(Placed.class, (placed, context) -> handled.add(placed)));

    assertThat(handlers.match("placed", 1)).isEqualTo(Match.HANDLED);
    handlers.read(message("placed", "o-1")).run("");
    handlers.read(message("order.placed", "o-2")).run("");
    assertThat(handled).containsExactly(new Placed("o-1"), new Placed("o-2"));
  }

  @Test
  void allNamesAreDeclaredAndTheNewOneIsWritten() {
    EventHandlers<String> handlers =
        EventHandlers.of(events, h -> h.on(Placed.class, (placed, context) -> {}));
    assertThat(handlers.declaredTypes())
        .containsExactly("order.new v1", "order.placed v1", "placed v1");
    assertThat(events.message(new Placed("o-1")).type()).isEqualTo("order.placed");
    assertThat(events.types().of(Placed.class).formerNames())
        .containsExactlyInAnyOrder("placed", "order.new");
  }

  @Test
  void anUnknownVersionOfAFormerNameIsNotPassedOver() {
    EventHandlers<String> handlers =
        EventHandlers.of(events, h -> h.on(Placed.class, (placed, context) -> {}));
    assertThat(handlers.match("placed", 2)).isEqualTo(Match.HANDLED);
  }

  @Test
  void aFormerNameThatIsEmptyOrTakenIsRefused() {
    assertThatThrownBy(() -> types(type -> type.formerly("order.placed")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("formerly order.placed is its name");
    assertThatThrownBy(() -> types(type -> type.formerly(" ")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("former name is missing");
    assertThatThrownBy(
            () ->
                EventTypes.builder()
                    .register(Placed.class, t -> t.name("placed").topic("o").keyless())
                    .register(
                        Cancelled.class,
                        t -> t.name("cancelled").formerly("placed").topic("o").keyless())
                    .build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("placed v1 is already registered for " + Placed.class.getName());
  }

  @Test
  void unknownFieldsAreCountedByTypeAndField() {
    events.read("order.placed", 1, "o-1 amount".getBytes(UTF_8));
    events.read("order.placed", 1, "o-2 amount gift".getBytes(UTF_8));
    events.read("placed", 1, "o-3 gift".getBytes(UTF_8));
    events.read("order.placed", 1, "o-4 told".getBytes(UTF_8), field -> {});

    assertThat(events.unknownFields())
        .isEqualTo(
            Map.of(
                "order.placed v1: amount", 2L, "order.placed v1: gift", 1L, "placed v1: gift", 1L));
  }

  @Test
  void anExactReadingIsTheSerializers() {
    assertThat(events.readExactly("order.placed", 1, "o-1".getBytes(UTF_8)))
        .isEqualTo(new Placed("o-1"));
    assertThatThrownBy(() -> events.readExactly("order.placed", 1, "o-1 gift".getBytes(UTF_8)))
        .hasMessage("OUT-015 gift");
  }

  @Test
  void aClassThatTheSerializerCannotReadIsRefused() {
    EventTypes.Builder both =
        EventTypes.builder()
            .register(Placed.class, t -> t.name("placed").topic("o").keyless())
            .register(Cancelled.class, t -> t.name("cancelled").topic("o").keyless());
    assertThatThrownBy(() -> Events.builder().types(both).serializer(new Text()).build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("a Cancelled cannot be read");
  }
}
