// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.impl.NatsMessage;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.publish.Outcome.Unavailable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each answer of JetStream means, also those that the server at hand does not give. */
class NatsOutcomesTest {

  private static final String SUBJECT = "orders";

  private static Outcome answered(String json) {
    return NatsOutcomes.outcome(
        SUBJECT,
        NatsMessage.builder().subject("_INBOX.1").data(json, StandardCharsets.UTF_8).build());
  }

  private static Outcome refused(int code) {
    return answered(
        """
        {"type": "io.nats.jetstream.api.v1.pub_ack_response",
         "error": {"code": 503, "err_code": %s, "description": "says why"}}\
        """
            .formatted(code));
  }

  @Test
  void acknowledgementIsPublishedAlsoThatOfADuplicate() {
    assertThat(answered("{\"stream\": \"SHOP\", \"seq\": 7}")).isEqualTo(Outcome.PUBLISHED);
    assertThat(answered("{\"stream\": \"SHOP\", \"seq\": 7, \"duplicate\": true}"))
        .isEqualTo(Outcome.PUBLISHED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no json", "{}", "{\"seq\": 7}"})
  void answerOfSomethingElseThanAStreamIsTheSubjects(String json) {
    assertThat(answered(json))
        .isInstanceOfSatisfying(
            Rejected.class, found -> assertThat(found.kind()).isEqualTo(Rejected.Kind.TOPIC));
  }

  /** Memory, storage, messages, bytes, a stream that is sealed or whose store failed. */
  @ParameterizedTest
  @ValueSource(ints = {10002, 10023, 10028, 10047, 10077, 10109})
  void limitOfAStreamIsTheSubjectsAndNoMessages(int code) {
    assertThat(refused(code))
        .isInstanceOfSatisfying(
            Rejected.class, found -> assertThat(found.kind()).isEqualTo(Rejected.Kind.TOPIC));
  }

  /** No leader, not the leader, JetStream switched off for the account or the server. */
  @ParameterizedTest
  @ValueSource(ints = {10008, 10009, 10039, 10076})
  void clusterThatCannotAnswerIsAnOutageOfWhatWasNotSent(int code) {
    assertThat(refused(code))
        .isInstanceOfSatisfying(
            Unavailable.class, found -> assertThat(found.isFateKnown()).isTrue());
  }

  @Test
  void messageAboveTheStreamsLimitIsItsOwnFault() {
    assertThat(refused(10054))
        .isInstanceOfSatisfying(
            Rejected.class, found -> assertThat(found.kind()).isEqualTo(Rejected.Kind.DEFINITE));
  }

  @ParameterizedTest
  @ValueSource(ints = {10060, 10071, 10164, 99999})
  void unknownReasonSuspectsTheMessageAndSaysSo(int code) {
    assertThat(refused(code))
        .isInstanceOfSatisfying(
            Rejected.class,
            found -> {
              assertThat(found.kind()).isEqualTo(Rejected.Kind.SUSPECT);
              assertThat(found.reason()).contains(Integer.toString(code), SUBJECT, "says why");
            });
  }

  @Test
  void silenceIsReportedAndNotJudged() {
    assertThat(NatsOutcomes.silence(SUBJECT, Duration.ofSeconds(5)))
        .isInstanceOfSatisfying(
            Unavailable.class,
            silent -> assertThat(silent.kind()).isEqualTo(Unavailable.Kind.UNANSWERED));
  }
}
