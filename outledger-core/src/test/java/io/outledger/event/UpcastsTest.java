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
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Payloads of older versions, of renamed types and of types that were split. */
final class UpcastsTest {

  record Placed(String text) {}

  record Moved(String text) {}

  record Gifted(String text) {}

  /** Its trees are texts that can be changed. */
  private static final class Texts implements PayloadSerializer {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public void checkTree(Class<?> tree) {
      if (tree != StringBuilder.class) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION, "texts, and not " + tree.getName());
      }
    }

    @Override
    public byte[] write(Object event) {
      return event.toString().getBytes(UTF_8);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
      String text = new String(payload, UTF_8);
      Object event =
          type == Placed.class
              ? new Placed(text)
              : type == Moved.class ? new Moved(text) : new Gifted(text);
      return type.cast(event);
    }

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(payload, type);
    }

    @Override
    public <T> Optional<byte[]> rewrite(
        byte[] payload, Class<T> tree, Function<? super T, ? extends @Nullable T> change) {
      StringBuilder text = new StringBuilder();
      text.append(new String(payload, UTF_8));
      T changed = change.apply(tree.cast(text));
      return changed == null ? Optional.empty() : Optional.of(write(changed));
    }
  }

  private static void placed(EventType.Builder<Placed> type) {
    type.name("order.placed").topic("orders").keyless();
  }

  private static EventTypes.Builder types(Consumer<EventType.Builder<Placed>> placed) {
    return EventTypes.builder()
        .register(
            Placed.class,
            type -> {
              placed(type);
              placed.accept(type);
            });
  }

  private static Events events(EventTypes.Builder types) {
    return Events.builder().types(types).serializer(new Texts()).build();
  }

  private static final Events THREE =
      events(
          types(
              type ->
                  type.version(3)
                      .formerly("order.new")
                      .upcast(1, 2, StringBuilder.class, text -> text.append(" a"))
                      .upcast(2, 3, StringBuilder.class, text -> text.append(" b"))));

  private static Object read(Events events, String type, int version) {
    return events.read(type, version, "x".getBytes(UTF_8));
  }

  @Test
  void eachVersionIsReadByTheStepsThatAreLeft() {
    assertThat(read(THREE, "order.placed", 1)).isEqualTo(new Placed("x a b"));
    assertThat(read(THREE, "order.placed", 2)).isEqualTo(new Placed("x b"));
    assertThat(read(THREE, "order.placed", 3)).isEqualTo(new Placed("x"));
    assertThat(THREE.readExactly("order.placed", 1, "x".getBytes(UTF_8)))
        .isEqualTo(new Placed("x a b"));
  }

  @Test
  void aStepMaySkipVersionsThatNeverWere() {
    Events events =
        events(
            types(
                type ->
                    type.version(7).upcast(2, 7, StringBuilder.class, text -> text.append("!"))));
    assertThat(read(events, "order.placed", 2)).isEqualTo(new Placed("x!"));
    assertThatThrownBy(() -> read(events, "order.placed", 3))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("no class is registered for the type order.placed v3");
  }

  @Test
  void formerNamesAreReadInEachVersion() {
    assertThat(read(THREE, "order.new", 1)).isEqualTo(new Placed("x a b"));
    assertThat(read(THREE, "order.new", 3)).isEqualTo(new Placed("x"));
  }

  @Test
  void handlersTakeAndDeclareAllThatIsRead() throws Exception {
    List<Object> handled = new ArrayList<>();
    EventHandlers<String> handlers =
        EventHandlers.of(THREE, h -> h.on(Placed.class, (placed, context) -> handled.add(placed)));
    assertThat(handlers.declaredTypes())
        .containsExactly(
            "order.new v1",
            "order.new v2",
            "order.new v3",
            "order.placed v1",
            "order.placed v2",
            "order.placed v3");
    assertThat(handlers.match("order.placed", 1)).isEqualTo(Match.HANDLED);
    Message older = Message.to("orders", "order.placed").payload("x".getBytes(UTF_8)).build();
    handlers.read(older).run("");
    assertThat(handled).containsExactly(new Placed("x a b"));
  }

  @Test
  void newMessagesHaveTheTypesOwnVersion() {
    assertThat(THREE.message(new Placed("x")).version()).isEqualTo(3);
  }

  private static EventTypes.Builder split(String moved, String gifted) {
    return EventTypes.builder()
        .register(
            Moved.class,
            type ->
                type.name("order.moved")
                    .version(2)
                    .topic("o")
                    .keyless()
                    .upcast(1, 2, StringBuilder.class, text -> text.append(" later"))
                    .splitFrom(
                        "order.changed",
                        4,
                        1,
                        StringBuilder.class,
                        text -> text.indexOf(moved) < 0 ? null : text.append(" split")))
        .register(
            Gifted.class,
            type ->
                type.name("order.gifted")
                    .topic("o")
                    .keyless()
                    .splitFrom(
                        "order.changed",
                        4,
                        1,
                        StringBuilder.class,
                        text -> text.indexOf(gifted) < 0 ? null : text));
  }

  private static Message changed(byte[] payload) {
    return Message.to("orders", "order.changed").version(4).payload(payload).build();
  }

  @Test
  void aTypeThatWasSplitIsReadAsWhatItsPayloadIs() throws Exception {
    Events events = events(split("move", "gift"));
    assertThat(events.read("order.changed", 4, "move".getBytes(UTF_8)))
        .isEqualTo(new Moved("move split later"));
    assertThat(events.read("order.changed", 4, "gift".getBytes(UTF_8)))
        .isEqualTo(new Gifted("gift"));
    assertThat(events.types().of("order.changed", 4)).isEmpty();
    assertThat(events.types().readAs("order.changed", 4)).hasSize(2);

    List<Object> handled = new ArrayList<>();
    EventHandlers<String> moves =
        EventHandlers.of(events, h -> h.on(Moved.class, (moved, context) -> handled.add(moved)));
    assertThat(moves.declaredTypes())
        .containsExactly("order.changed v4", "order.moved v1", "order.moved v2");
    assertThat(moves.match("order.changed", 4)).isEqualTo(Match.HANDLED);
    moves.read(changed("gift".getBytes(UTF_8))).run("");
    moves.read(changed("move".getBytes(UTF_8))).run("");
    assertThat(handled).containsExactly(new Moved("move split later"));
    assertThat(moves.match("order.changed", 5)).isEqualTo(Match.HANDLED);
  }

  /** Whichever of them a handler names, also the one that was registered last. */
  @Test
  void aTypeThatWasSplitIsHandledByWhoeverNamesOneOfWhatItBecame() throws Exception {
    Events events = events(split("move", "gift").register(Placed.class, UpcastsTest::placed));
    for (Class<?> named : List.of(Moved.class, Gifted.class)) {
      List<Object> handled = new ArrayList<>();
      EventHandlers<String> one =
          EventHandlers.of(events, h -> h.on(named, (event, context) -> handled.add(event)));
      assertThat(one.match("order.changed", 4)).as("match of %s", named).isEqualTo(Match.HANDLED);
      for (String payload : List.of("move", "gift")) {
        one.read(changed(payload.getBytes(UTF_8))).run("");
      }
      assertThat(handled).singleElement().isInstanceOf(named);
    }
    EventHandlers<String> other = EventHandlers.of(events, h -> h.on(Placed.class, (p, c) -> {}));
    assertThat(other.match("order.changed", 4)).isEqualTo(Match.NOT_NAMED);
  }

  @Test
  void aSplitPayloadThatNobodyOrTwoTakeIsRefused() {
    Events events = events(split("m", "g"));
    for (String payload : List.of("neither", "mg")) {
      assertThatThrownBy(() -> events.read("order.changed", 4, payload.getBytes(UTF_8)))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageStartingWith("OUT-015 a payload of order.changed v4 is of ")
          .hasMessageContainingAll(Moved.class.getName(), Gifted.class.getName(), "exactly one");
    }
  }

  @Test
  void placeOfAFailureIsTheStepsOwnLineAndNotThatOfALibrary() {
    Function<StringBuilder, StringBuilder> cuts = text -> text.delete(9_999, 10_000);
    for (Function<StringBuilder, StringBuilder> step : List.of(cuts, cuts.andThen(text -> text))) {
      Events failing =
          events(types(type -> type.version(2).upcast(1, 2, StringBuilder.class, step)));
      assertThatThrownBy(() -> read(failing, "order.placed", 1))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining(
              "threw java.lang.StringIndexOutOfBoundsException at UpcastsTest.java:");
    }
  }

  @Test
  void aStepThatFailsOrReturnsNothingIsToldWithoutThePayload() {
    Events failing =
        events(
            types(
                type ->
                    type.version(2)
                        .upcast(
                            1,
                            2,
                            StringBuilder.class,
                            text -> {
                              throw new IllegalStateException("CANARY " + text);
                            })));
    assertThatThrownBy(() -> read(failing, "order.placed", 1))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContainingAll(
            "the upcast from version 1 to 2 of " + Placed.class.getName(),
            "threw java.lang.IllegalStateException at UpcastsTest.java:")
        .hasMessageNotContaining("CANARY")
        .hasNoCause();
    Events nothing =
        events(types(type -> type.version(2).upcast(1, 2, StringBuilder.class, text -> nothing())));
    assertThatThrownBy(() -> read(nothing, "order.placed", 1))
        .hasMessageContaining("returned null");
  }

  @SuppressWarnings("NullAway") // what the function must not do
  private static StringBuilder nothing() {
    return null;
  }

  private static void refused(EventTypes.Builder types, String... texts) {
    assertThatThrownBy(() -> events(types))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021")
        .hasMessageContainingAll(texts);
  }

  private static void refusedSteps(Consumer<EventType.Builder<Placed>> steps, String... texts) {
    refused(types(steps), texts);
  }

  @Test
  void aChainThatDoesNotReachTheVersionIsRefused() {
    refusedSteps(
        type -> type.version(3).upcast(1, 2, StringBuilder.class, text -> text),
        "the upcast from version 1 to 2 leads to version 2, from which none leads to 3",
        "add upcast(2, 3, …)");
    refusedSteps(
        type -> type.version(2).upcast(1, 3, StringBuilder.class, text -> text),
        "leads beyond the type's version 2");
    refusedSteps(
        type -> type.version(2).upcast(2, 2, StringBuilder.class, text -> text),
        "must lead to a higher version");
    refusedSteps(
        type -> type.version(2).upcast(0, 2, StringBuilder.class, text -> text),
        "must start from 1 or more");
    refusedSteps(
        type ->
            type.version(3)
                .upcast(1, 2, StringBuilder.class, text -> text)
                .upcast(1, 3, StringBuilder.class, text -> text)
                .upcast(2, 3, StringBuilder.class, text -> text),
        "two upcasts start from version 1");
  }

  @Test
  void aTreeThatTheSerializerDoesNotReadIsRefused() {
    refusedSteps(
        type -> type.version(2).upcast(1, 2, String.class, text -> text),
        "texts, and not java.lang.String");
    refusedSteps(
        type ->
            type.version(3)
                .upcast(1, 2, String.class, text -> text)
                .upcast(2, 3, StringBuilder.class, text -> text),
        "different classes of trees");
    PayloadSerializer none = new TextSerializer(Object::toString, Placed::new);
    assertThatThrownBy(
            () ->
                Events.builder()
                    .types(
                        types(
                            type ->
                                type.version(2).upcast(1, 2, StringBuilder.class, text -> text)))
                    .serializer(none)
                    .build())
        .hasMessageContainingAll(TextSerializer.class.getName(), "reads no trees");
  }

  @Test
  void anOlderVersionThatAnotherClassHasIsRefused() {
    refused(
        types(type -> type.version(2).upcast(1, 2, StringBuilder.class, text -> text))
            .register(Moved.class, type -> type.name("order.placed").topic("orders").keyless()),
        "order.placed v1 is already registered for " + Placed.class.getName());
  }

  @Test
  void aSplitOfWhatSomebodyHasIsRefused() {
    refused(
        types(type -> {})
            .register(
                Moved.class,
                type ->
                    type.name("order.moved")
                        .topic("orders")
                        .keyless()
                        .splitFrom("order.placed", 1, 1, StringBuilder.class, text -> text)
                        .splitFrom("order.moved", 1, 1, StringBuilder.class, text -> text)),
        "the split from order.placed v1 cannot be, as " + Placed.class.getName(),
        "the split from order.moved v1 is of its own name");
  }
}
