// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A serializer on the application's mapper has its settings, and our safety. */
final class ApplicationMapperTest {

  record Placed(String orderId, Instant placedAt) {}

  private static ObjectMapper application() {
    return new ObjectMapper()
        .registerModule(new JavaTimeModule())
        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
  }

  @Test
  void payloadsHaveTheNamesAndModulesOfTheApplication() {
    JacksonSerializer serializer = JacksonSerializer.on(application());
    Placed placed = new Placed("o-1", Instant.EPOCH);
    assertThat(new String(serializer.write(placed), UTF_8))
        .isEqualTo("{\"order_id\":\"o-1\",\"placed_at\":\"1970-01-01T00:00:00Z\"}");
    assertThat(serializer.read(serializer.write(placed), Placed.class)).isEqualTo(placed);
    List<String> unknown = new ArrayList<>();
    serializer.read("{\"orderId\":\"o\"}".getBytes(UTF_8), Placed.class, unknown::add);
    assertThat(unknown).containsExactly("orderId");
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface Chosen {}

  record Choice(int value) implements Chosen {}

  static class Box {
    public Object any = "";

    Box any(Object value) {
      any = value;
      return this;
    }
  }

  @Test
  void whatIsUnsafeIsOffAndTheApplicationsMapperStaysAsItIs() throws Exception {
    ObjectMapper mapper = application();
    mapper.activateDefaultTyping(
        BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
        ObjectMapper.DefaultTyping.NON_FINAL);
    mapper
        .getFactory()
        .setStreamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(100_000).build());
    String typed = mapper.writeValueAsString(new Box().any(new Choice(1)));
    JacksonSerializer serializer = JacksonSerializer.on(mapper);

    assertThat(new String(serializer.write(new Box().any(7)), UTF_8)).isEqualTo("{\"any\":7}");
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
    assertThat(mapper.writeValueAsString(new Box().any(new Choice(1)))).isEqualTo(typed);
  }

  @Test
  void aMapperThatWritesNoJsonOrCannotBeCopiedIsRefused() {
    class Binary extends JsonFactory {
      private static final long serialVersionUID = 1L;

      @Override
      public String getFormatName() {
        return "CBOR";
      }
    }
    class Own extends ObjectMapper {
      private static final long serialVersionUID = 1L;
    }
    assertThatThrownBy(() -> JacksonSerializer.on(new ObjectMapper(new Binary())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("CBOR");
    assertThatThrownBy(() -> JacksonSerializer.on(new Own()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("copy()");
  }
}
