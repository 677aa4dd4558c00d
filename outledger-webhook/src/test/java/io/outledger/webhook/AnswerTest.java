// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome;
import io.outledger.testing.SettableClock;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final WebhookEndpoint ENDPOINT =
      WebhookEndpoint.at(URI.create("https://example.org/hook?token=secret"));

  private static Answer answer(int status, @Nullable String retryAfter) {
    return Answer.of(status, retryAfter, "", NOW);
  }

  @ParameterizedTest
  @CsvSource({
    "200, ACCEPTED",
    "201, ACCEPTED",
    "204, ACCEPTED",
    "299, ACCEPTED",
    "301, MISCONFIGURED",
    "302, MISCONFIGURED",
    "304, MISCONFIGURED",
    "308, MISCONFIGURED",
    "400, REFUSED",
    "401, MISCONFIGURED",
    "403, MISCONFIGURED",
    "404, MISCONFIGURED",
    "405, MISCONFIGURED",
    "408, AWAY",
    "410, GONE",
    "413, REFUSED",
    "415, REFUSED",
    "422, REFUSED",
    "425, AWAY",
    "429, AWAY",
    "500, FAILED",
    "502, AWAY",
    "503, AWAY",
    "504, AWAY",
    "599, FAILED"
  })
  void statusSaysWhoIsToBlame(int status, Answer.Meaning meaning) {
    assertThat(answer(status, null).meaning()).isEqualTo(meaning);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, 0",
        "0, 0",
        "7, 7",
        "999999999, 3600",
        "9999999999, 0",
        "-5, 0",
        "soon, 0",
        "'Sun, 1 Mar 2026 12:01:30 GMT', 90",
        "'Sun, 1 Mar 2026 11:00:00 GMT', 0"
      })
  void retryAfterIsSecondsOrATimeAndAtMostAnHour(@Nullable String header, int seconds) {
    assertThat(answer(503, header).retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void endpointThatIsAwayIsTheRoutesOutageOnlyIfItIsTheOnlyOne() {
    assertThat(answer(503, null).outcome(true, ENDPOINT))
        .isEqualTo(Outcome.unreachable("https://example.org answered 503"));
    assertThat(answer(503, null).outcome(false, ENDPOINT))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            rejected -> assertThat(rejected.kind()).isEqualTo(Outcome.Rejected.Kind.TOPIC));
  }

  @Test
  void textOfTheAnswerIsBoundedAndPrintable() {
    Answer answer = Answer.of(400, null, "bad\r\n[ERROR] forged " + "x".repeat(500), NOW);
    assertThat(answer.text()).startsWith("bad\\r\\n[ERROR]").hasSizeLessThan(250);
  }

  @Test
  void endpointIsLeftAloneForAsLongAsItAsks() {
    SettableClock time = new SettableClock();
    EndpointState state = new EndpointState(ENDPOINT, true, time);
    assertThat(state.answered(answer(429, "30"))).isInstanceOf(Outcome.Unavailable.class);
    time.advance(Duration.ofSeconds(29));
    assertThat(state.refusal()).isInstanceOf(Outcome.Unavailable.class);
    time.advance(Duration.ofSeconds(1));
    assertThat(state.refusal()).isNull();
  }

  @Test
  void endpointThatIsGoneIsDisabled() {
    EndpointState state = new EndpointState(ENDPOINT, true, new SettableClock());
    assertThat(state.answered(answer(410, null)))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            rejected -> assertThat(rejected.kind()).isEqualTo(Outcome.Rejected.Kind.FINAL));
    assertThat(state.refusal()).isInstanceOf(Outcome.Rejected.class);
  }
}
