// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fields that a class has no more, has by another name, or never had. */
final class JacksonFieldsTest {

  private final JacksonSerializer serializer = JacksonSerializer.create();

  record Line(String sku, int count) {
    /** Computed: it is written, and nothing reads it. */
    public int getDozens() {
      return count / 12;
    }
  }

  record Placed(String orderId, @JsonAlias("amount") int amountInCents, List<Line> lines) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  record Tolerant(String orderId) {}

  private <T> List<String> unknown(String json, Class<T> type) {
    List<String> fields = new ArrayList<>();
    assertThat(serializer.read(json.replace('\'', '"').getBytes(UTF_8), type, fields::add))
        .isNotNull();
    return fields;
  }

  @Test
  void whatTheClassDoesNotHaveIsTold() {
    assertThat(
            unknown(
                "{'orderId':'o','gift':{'a':1},'lines':[{'sku':'a','qty':1},{'qty':2}]}",
                Placed.class))
        .containsExactlyInAnyOrder("gift", "Line.qty", "Line.qty");
  }

  @Test
  void aFormerNameOfAFieldIsReadAndIsNotUnknown() {
    assertThat(unknown("{'orderId':'o','amount':1990}", Placed.class)).isEmpty();
    assertThat(
            serializer.readExactly(
                "{\"orderId\":\"o\",\"amount\":1990,\"lines\":[]}".getBytes(UTF_8), Placed.class))
        .isEqualTo(new Placed("o", 1990, List.of()));
  }

  @Test
  void whatAClassWritesItselfIsNotUnknown() {
    Placed placed = new Placed("o", 1, List.of(new Line("a", 24)));
    String json = new String(serializer.write(placed), UTF_8);
    assertThat(json).contains("\"dozens\":2");
    assertThat(unknown(json, Placed.class)).isEmpty();
    assertThat(serializer.readExactly(serializer.write(placed), Placed.class)).isEqualTo(placed);
    assertThat(JacksonSerializer.strict().read(serializer.write(placed), Placed.class))
        .isEqualTo(placed);
  }

  @Test
  void whatAClassSaysItIgnoresIsNotTold() {
    assertThat(unknown("{'orderId':'o','gift':true}", Tolerant.class)).isEmpty();
    assertThat(unknown("{'a':{'b':1}}", Map.class)).isEmpty();
  }
}
