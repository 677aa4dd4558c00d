// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookEndpointTest {

  private static final WebhookEndpoint ENDPOINT =
      WebhookEndpoint.at(URI.create("https://example.org:444/hook?token=secret"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.org/",
        "ftp://example.org/",
        "/hook",
        "https:///hook",
        "mailto:a@b.c",
        "https://user:password@example.org/",
        "https://example.org/#part"
      })
  void addressThatIsNoPublicEndpointIsRefused(String uri) {
    assertThatThrownBy(() -> WebhookEndpoint.at(URI.create(uri)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-021")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("user:password"));
  }

  @Test
  void headersThatThePublisherSetsAreRefusedAndCredentialsAreNot() {
    ENDPOINT.header("Authorization", "Bearer abc");
    ENDPOINT.header("Cookie", "a=b");
    for (String name :
        new String[] {
          "Host", "Idempotency-Key", "webhook-id", "ce-type", "Content-Type", "a b", ""
        }) {
      assertThatThrownBy(() -> ENDPOINT.header(name, "x"))
          .isInstanceOf(ConfigurationException.class);
    }
    assertThatThrownBy(() -> ENDPOINT.header("X-Tenant", "a\r\nHost: b"))
        .isInstanceOf(ConfigurationException.class);
  }

  @Test
  void limitsAreChecked() {
    for (Duration bad :
        List.of(
            Duration.ZERO,
            Duration.ofNanos(999_999),
            Duration.ofSeconds(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MIN_VALUE))) {
      assertThatThrownBy(() -> ENDPOINT.timeout(bad)).isInstanceOf(ConfigurationException.class);
    }
    assertThatThrownBy(() -> ENDPOINT.bodyBytesMax(0)).isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> WebhookPublisher.to(ENDPOINT).threads(0))
        .isInstanceOf(ConfigurationException.class);
  }

  @Test
  void whatMayBeSecretIsNotPrinted() {
    assertThat(ENDPOINT.header("Authorization", "Bearer abc"))
        .hasToString("https://example.org:444");
    assertThat(WebhookPublisher.to(ENDPOINT).toString()).doesNotContain("token", "hook?", "/hook");
  }
}
