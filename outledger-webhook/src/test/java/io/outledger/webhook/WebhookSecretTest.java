// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import java.util.Collections;
import java.util.List;
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
    List<String> own = List.of(signature);
    assertThat(secret.matchesAny(own, "a", "1", body)).isTrue();
    assertThat(secret.matchesAny(own, "b", "1", body)).isFalse();
    assertThat(secret.matchesAny(own, "a", "2", body)).isFalse();
    assertThat(secret.matchesAny(own, "a", "1", new byte[] {1, 3})).isFalse();
    List<String> other = List.of("v1a" + signature.substring(2));
    assertThat(secret.matchesAny(other, "a", "1", body)).isFalse();
    assertThat(secret.matchesAny(List.of(other.get(0), signature), "a", "1", body)).isTrue();
  }

  /** A stranger may send many entries, and a large body. */
  @Test
  void bodyIsReadOnceHoweverManySignaturesThereAre() {
    WebhookSecret secret = WebhookSecret.of(TEXT);
    List<String> guesses = Collections.nCopies(16, "v1,guess");
    try (CountedMacs macs = new CountedMacs()) {
      assertThat(secret.matchesAny(guesses, "a", "1", new byte[1_000])).isFalse();
      assertThat(macs.made()).isEqualTo(1);
    }
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
