// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireFormatTest {

  private static final byte[] OF_SEVEN = {0, 0, 0, 0, 7, 1};

  @ParameterizedTest
  @ValueSource(strings = {"", "\0", "\0\0\0\0", "{\"a\":1}", "\1\0\0\0\7"})
  void payloadWithoutTheMarkOrAWholeIdIsInAnotherFormat(String payload) {
    assertThat(WireFormat.schema(payload.getBytes(ISO_8859_1), String.class, null)).isEmpty();
  }

  @Test
  void payloadInItNeedsARegistry() {
    assertThat(WireFormat.id(OF_SEVEN)).isEqualTo(7);
    assertThatThrownBy(() -> WireFormat.schema(OF_SEVEN, String.class, null))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageContaining("readFrom");
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without a checker may do
  void nullIsNamed() {
    assertThatThrownBy(() -> WireFormat.schema(null, String.class, null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("payload");
    assertThatThrownBy(() -> WireFormat.schema(OF_SEVEN, null, null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("type");
  }
}
