// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class KafkaRequestSizeTest {

  private static final long DEFAULT = DataSize.ofKilobytes(960).toBytes();

  @Test
  void theDefaultsFitOneAnother() {
    assertThat(KafkaRequestSize.problem(Map.of(), DEFAULT, "publisher")).isEmpty();
  }

  @Test
  void aPayloadThatTheProducerRefusesIsToldWithBothWaysOut() {
    long megabyte = DataSize.ofMegabytes(1).toBytes();
    assertThat(KafkaRequestSize.problem(Map.of(), megabyte, "publisher"))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .contains("publisher.properties.max.request.size to 1114112 or more")
                    .contains("outledger.payload-max to 983040B or less"));
    assertThat(
            KafkaRequestSize.problem(Map.of("max.request.size", "1114112"), megabyte, "publisher"))
        .isEmpty();
    assertThat(KafkaRequestSize.problem(Map.of("max.request.size", 2_000), 1_000, "publisher"))
        .isPresent();
  }

  @Test
  void whatIsNoNumberIsForTheProducerToRefuse() {
    assertThat(KafkaRequestSize.problem(Map.of("max.request.size", "large"), DEFAULT, "publisher"))
        .isEmpty();
  }
}
