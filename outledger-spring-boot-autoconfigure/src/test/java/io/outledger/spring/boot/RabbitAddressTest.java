// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import org.junit.jupiter.api.Test;

class RabbitAddressTest {

  @Test
  void anAddressIsReadAsBootReadsIt() {
    assertThat(of("r-1", false)).isEqualTo(new RabbitAddress("r-1", 5672, null, null, null, false));
    assertThat(of("r-1", true)).isEqualTo(new RabbitAddress("r-1", 5671, null, null, null, true));
    assertThat(of("r-1:1", false)).isEqualTo(new RabbitAddress("r-1", 1, null, null, null, false));
    assertThat(of("amqps://ada:s3@cret:1@r-1/orders", false))
        .isEqualTo(new RabbitAddress("r-1", 5671, "ada", "s3@cret:1", "orders", true));
    assertThat(of("amqp://[::1]:9", true))
        .isEqualTo(new RabbitAddress("[::1]", 9, null, null, null, false));
  }

  @Test
  void anErrorQuotesNoPassword() {
    assertThatThrownBy(() -> of("amqp://ada:s3cret@r-1:port", false))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("spring.rabbitmq.addresses")
        .message()
        .doesNotContain("s3cret");
    assertThat(of("amqp://ada:s3cret@r-1", false).toString()).doesNotContain("s3cret");
  }

  private static RabbitAddress of(String text, boolean isTls) {
    return RabbitAddress.of("spring.rabbitmq.addresses", text, isTls);
  }
}
