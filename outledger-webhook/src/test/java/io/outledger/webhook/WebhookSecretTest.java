// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSecretTest {

  private static final String TEXT = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  /** The example that implementations of Standard Webhooks are tried with. */
  @Test
  void signatureIsThatOfTheSpecification() {
    String signature =
        WebhookSecret.of(TEXT)
            .sign(
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                "1614265330",
                "{\"test\": 2432232314}".getBytes(UTF_8));
    assertThat(signature).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void anotherIdTimeOrBodyHasAnotherSignature() {
    WebhookSecret secret = WebhookSecret.of(TEXT);
    byte[] body = {1, 2};
    String signature = secret.sign("a", "1", body);
    assertThat(secret.matches(signature, "a", "1", body)).isTrue();
    assertThat(secret.matches(signature, "b", "1", body)).isFalse();
    assertThat(secret.matches(signature, "a", "2", body)).isFalse();
    assertThat(secret.matches(signature, "a", "1", new byte[] {1, 3})).isFalse();
    assertThat(secret.matches("v1a" + signature.substring(2), "a", "1", body)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "whsec_", "whsec_c2hvcnQ=", "whsec_not base64!", "password"})
  void whatIsNoSecretIsRefusedWithoutBeingPrinted(String text) {
    assertThatThrownBy(() -> WebhookSecret.of(text))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("openssl rand -base64 32")
        .hasNoCause()
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("not base64!", "password"));
  }

  @Test
  void secretIsNeverPrinted() {
    assertThat(WebhookSecret.of(TEXT)).hasToString("WebhookSecret[hidden]");
  }
}
