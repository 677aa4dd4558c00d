// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PropertyMetadataTest {

  @Test
  void everyPropertyIsKnownToIdesWithADescription() throws IOException {
    String metadata = metadata();

    assertThat(PropertyNames.all())
        .allSatisfy(
            name ->
                assertThat(metadata)
                    .containsPattern("\"name\": \"" + name + "\",[^}]*\"description\": \"[^\"]"));
  }

  @Test
  void theNearestNameOfAMisspeltOneIsFound() {
    assertThat(PropertyNames.distance("outledger.relay.enable", "outledger.relay.enabled")).isOne();
    assertThat(PropertyNames.distance("same", "same")).isZero();
    assertThat(PropertyNames.distance("", "abc")).isEqualTo(3);
  }

  private static String metadata() throws IOException {
    try (InputStream resource =
        OutledgerProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      return new String(Objects.requireNonNull(resource).readAllBytes(), UTF_8);
    }
  }
}
