// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.event.EventTypes;
import io.outledger.event.TypeVersion;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class SchemasByTypeTest {

  private static final EventTypes TYPES =
      EventTypes.builder()
          .register(
              String.class,
              type -> type.name("text").formerly("word").version(2).topic("t").keyless())
          .build();

  private static final WirePayload.Written TODAY = written("today");
  private static final WirePayload.Written BEFORE = written("before");

  private final SchemasByType schemas =
      SchemasByType.of(TYPES, "text/plain", type -> TODAY)
          .and(Map.of(new TypeVersion("text", 1), BEFORE, new TypeVersion("text", 2), BEFORE));

  private static WirePayload.Written written(String schema) {
    return new WirePayload.Written(
        RegistrySchema.of(RegistrySchema.Type.JSON, schema, schema), new byte[0], 0);
  }

  private static Message message(String type, int version, String contentType, byte... payload) {
    return Message.to("t", type)
        .version(version)
        .header("content-type", contentType)
        .payload(payload)
        .build();
  }

  @Test
  void aMessagesTypeAndVersionTellItsSchema() {
    assertThat(schemas.of(message("text", 2, "text/plain"))).isSameAs(TODAY);
    assertThat(schemas.of(message("word", 2, "text/other"))).isSameAs(TODAY);
    assertThat(schemas.of(message("text", 1, "text/plain"))).isSameAs(BEFORE);
  }

  @Test
  void anotherTypeOfTheSerializerIsUnknownAndWhatIsNoneOfItsIsNot() {
    assertThat(schemas.of(message("word", 1, "text/plain")))
        .isInstanceOf(WirePayload.Unknown.class);
    assertThat(schemas.of(message("text", 3, "text/plain")))
        .isInstanceOf(WirePayload.Unknown.class);
    for (String same : List.of("Text/PLAIN", "text/plain; charset=utf-8")) {
      assertThat(schemas.of(message("text", 3, same))).isInstanceOf(WirePayload.Unknown.class);
    }
    assertThat(schemas.of(message("text", 3, "application/octet-stream")))
        .isSameAs(WirePayload.AS_IT_IS);
    assertThat(schemas.of(message("note", 1, "text/other"))).isSameAs(WirePayload.AS_IT_IS);
    assertThat(schemas.of(Message.to("t", "note").build())).isSameAs(WirePayload.AS_IT_IS);
  }

  @Test
  void tombstonesAndWhatIsFramedAreLeftAlone() {
    assertThat(schemas.of(Message.to("t", "text").version(2).key("k").tombstone().build()))
        .isSameAs(WirePayload.AS_IT_IS);
    byte[] framed = {0, 0, 0, 0, 7};
    assertThat(schemas.of(message("text", 2, "text/plain", framed))).isSameAs(WirePayload.AS_IT_IS);
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    List<ThrowingCallable> calls =
        List.of(
            () -> SchemasByType.of(null, "text/plain", type -> TODAY),
            () -> SchemasByType.of(TYPES, null, type -> TODAY),
            () -> SchemasByType.of(TYPES, "text/plain", null),
            () -> schemas.and(null),
            () -> schemas.of(null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }
}
