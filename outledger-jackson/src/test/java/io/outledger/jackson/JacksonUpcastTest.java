// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads of older versions are changed as trees, and lose nothing by it. */
final class JacksonUpcastTest {

  record Placed(String orderId, long cents, String currency, BigDecimal rate, BigInteger huge) {}

  private final JacksonSerializer serializer = JacksonSerializer.create();

  private final Events events =
      Events.builder()
          .serializer(serializer)
          .types(
              EventTypes.builder()
                  .register(
                      Placed.class,
                      t ->
                          t.name("order.placed")
                              .version(3)
                              .topic("orders")
                              .key(Placed::orderId)
                              .upcast(
                                  1,
                                  2,
                                  ObjectNode.class,
                                  json -> json.set("cents", json.remove("amount")))
                              .upcast(2, 3, ObjectNode.class, json -> json.put("currency", "EUR"))))
          .build();

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(UTF_8);
  }

  @Test
  void anOlderPayloadBecomesTodaysEvent() {
    assertThat(
            events.read(
                "order.placed",
                1,
                json(
                    "{'orderId':'o-1','amount':1990,'rate':1.2300000000000000000000001,"
                        + "'huge':123456789012345678901234567890}")))
        .isEqualTo(
            new Placed(
                "o-1",
                1990,
                "EUR",
                new BigDecimal("1.2300000000000000000000001"),
                new BigInteger("123456789012345678901234567890")));
    assertThat(events.unknownFields()).isEmpty();
  }

  @Test
  void whatIsNotChangedIsWrittenAsItWas() {
    byte[] payload =
        json("{'a':1.50,'b':12345678901234567890.10,'c':[true,null,{'d':'\\u20ac'}],'e':1E+3}");
    assertThat(serializer.rewrite(payload, ObjectNode.class, json -> json))
        .hasValueSatisfying(
            written ->
                assertThat(new String(written, UTF_8))
                    .isEqualTo(
                        new String(
                            json(
                                "{'a':1.50,'b':12345678901234567890.10,"
                                    + "'c':[true,null,{'d':'€'}],'e':1E+3}"),
                            UTF_8)));
    assertThat(serializer.rewrite(payload, ObjectNode.class, json -> null)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "[]", "'CANARY'", "{'a':1,'a':CANARY}", "{} {}", "{'CANARY"})
  void whatIsNoObjectIsRefusedWithoutQuotingIt(String text) {
    assertThatThrownBy(() -> events.read("order.placed", 1, json(text)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageNotContaining("CANARY");
  }

  @Test
  void anotherTreeIsRefusedAtTheStart() {
    for (Class<?> tree : List.of(JsonNode.class, String.class)) {
      assertThatThrownBy(() -> serializer.checkTree(tree))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll(tree.getName(), ObjectNode.class.getName());
    }
  }
}
