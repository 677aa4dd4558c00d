// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.outledger.InvalidMessageException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/** A serializer on the application's mapper has its settings, and our safety. */
final class ApplicationMapperTest {

  record Placed(String orderId, Instant placedAt) {}

  @Test
  void payloadsHaveTheNamesOfTheApplication() {
    Jackson3Serializer serializer =
        Jackson3Serializer.on(
            JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build());
    Placed placed = new Placed("o-1", Instant.EPOCH);
    assertThat(new String(serializer.write(placed), UTF_8))
        .isEqualTo("{\"order_id\":\"o-1\",\"placed_at\":\"1970-01-01T00:00:00Z\"}");
    assertThat(serializer.read(serializer.write(placed), Placed.class)).isEqualTo(placed);
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface Chosen {}

  record Choice(int value) implements Chosen {}

  static final class Box {
    public Object any = "";
  }

  @Test
  void whatIsUnsafeIsOff() {
    JsonMapper mapper =
        JsonMapper.builder(
                JsonFactory.builder()
                    .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(100_000).build())
                    .build())
            .activateDefaultTyping(
                BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
                DefaultTyping.NON_FINAL)
            .build();
    Jackson3Serializer serializer = Jackson3Serializer.on(mapper);

    Box box = new Box();
    box.any = 7;
    assertThat(new String(serializer.write(box), UTF_8)).isEqualTo("{\"any\":7}");
    for (String json :
        List.of("{\"@class\":\"" + Choice.class.getName() + "\",\"value\":1}", "{\"value\":1}")) {
      assertThatThrownBy(() -> serializer.read(json.getBytes(UTF_8), Chosen.class))
          .isInstanceOf(InvalidMessageException.class);
    }
    String deep = "{\"any\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";
    for (String json : List.of(deep, "{\"any\":1,\"any\":2}", "{\"any\":1} {}")) {
      assertThatThrownBy(() -> serializer.read(json.getBytes(UTF_8), Box.class))
          .isInstanceOf(InvalidMessageException.class);
    }
  }
}
