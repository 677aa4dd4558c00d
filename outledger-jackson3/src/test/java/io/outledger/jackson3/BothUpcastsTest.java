// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.event.PayloadSerializer;
import io.outledger.jackson.JacksonSerializer;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** With Jackson 3, upcasts make the payloads that they make with Jackson 2. */
final class BothUpcastsTest {

  private static final PayloadSerializer TWO = JacksonSerializer.create();
  private static final PayloadSerializer THREE = Jackson3Serializer.create();

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(UTF_8);
  }

  @Test
  void bothRewriteAPayloadToTheSameBytes() {
    byte[] payload = json("{'amount':1.50,'huge':12345678901234567890.10,'at':[1E+3,null]}");
    byte[] two =
        TWO.rewrite(
                payload,
                com.fasterxml.jackson.databind.node.ObjectNode.class,
                tree -> tree.set("cents", tree.remove("amount")))
            .orElseThrow();
    byte[] three =
        THREE
            .rewrite(payload, ObjectNode.class, tree -> tree.set("cents", tree.remove("amount")))
            .orElseThrow();
    assertThat(new String(three, UTF_8))
        .isEqualTo(new String(two, UTF_8))
        .isEqualTo(
            new String(
                json("{'huge':12345678901234567890.10,'at':[1E+3,null],'cents':1.50}"), UTF_8));
    for (String text : List.of("", "null", "[]", "{} {}", "{'a':1,'a':2}")) {
      assertThatThrownBy(() -> THREE.rewrite(json(text), ObjectNode.class, tree -> tree))
          .as(text)
          .isInstanceOf(InvalidMessageException.class);
    }
  }

  @Test
  void eachReadsItsOwnTreesAlone() {
    assertThatThrownBy(() -> THREE.checkTree(com.fasterxml.jackson.databind.node.ObjectNode.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Jackson 3 reads payloads as tools.jackson.databind.node.ObjectNode");
    assertThatThrownBy(() -> TWO.checkTree(ObjectNode.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Jackson 2 reads payloads as com.fasterxml.jackson.databind.node");
  }
}
