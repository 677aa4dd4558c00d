// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static io.outledger.relay.route.Deliveries.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.publish.Outcome;
import org.junit.jupiter.api.Test;

/** A message of the topic "orders" is sent at 100, and not answered until 200. */
class AnswersTest {

  private static final Outcome.Unavailable SILENT =
      (Outcome.Unavailable) Outcome.unanswered("no answer");

  private final Answers answers = new Answers();

  private Outcome judged() {
    return answers.judge(delivery(1, "a"), SILENT, 100, 200);
  }

  @Test
  void whereNothingWasEverAnsweredTheDestinationIsSilent() {
    assertThat(judged()).isSameAs(SILENT);
  }

  @Test
  void whereOnlyOtherTopicsWereAnsweredItIsTheTopic() {
    answers.published("payments", 120, 150);
    assertThat(judged()).isEqualTo(Outcome.topicUnavailable("no answer"));
    answers.published("mails", 120, 160);
    assertThat(judged()).isEqualTo(Outcome.topicUnavailable("no answer"));
  }

  @Test
  void whereItsOwnTopicWasAnsweredItIsTheMessage() {
    answers.published("payments", 120, 150);
    answers.published("orders", 120, 150);
    assertThat(judged()).isEqualTo(Outcome.suspect("no answer"));
  }

  @Test
  void whatWasAnsweredInTheFirstHalfOfTheWaitIsNoProof() {
    answers.published("orders", 120, 149);
    answers.published("payments", 120, 149);
    assertThat(judged()).isSameAs(SILENT);
    answers.published("payments", 120, 150);
    assertThat(judged()).isEqualTo(Outcome.topicUnavailable("no answer"));
  }

  /** A slow destination with a queue answers what stood before it, as long as it waits. */
  @Test
  void whatWasSentBeforeItIsNoProofHoweverLateItIsAnswered() {
    answers.published("orders", 99, 190);
    answers.published("payments", 100, 195);
    assertThat(judged()).isSameAs(SILENT);
    answers.published("orders", 101, 199);
    answers.published("orders", 90, 200);
    assertThat(judged()).isEqualTo(Outcome.suspect("no answer"));
  }

  @Test
  void topicIsRememberedWhileItIsAmongAThousandAndForgottenThen() {
    answers.published("orders", 120, 150);
    answerOthers(999);
    assertThat(judged()).isEqualTo(Outcome.suspect("no answer"));
    answers.published("orders", 120, 150);
    answerOthers(1_000);
    assertThat(judged()).isSameAs(SILENT);
  }

  private void answerOthers(int topics) {
    for (int i = 1; i <= topics; i++) {
      answers.published("topic " + i, 1, 1);
    }
  }

  @Test
  void clockThatIsNearItsEndIsNoProblem() {
    answers.published("orders", Long.MAX_VALUE - 9, Long.MIN_VALUE + 10);
    long sentAt = Long.MAX_VALUE - 49;
    assertThat(answers.judge(delivery(1, "a"), SILENT, sentAt, Long.MIN_VALUE + 50))
        .isEqualTo(Outcome.suspect("no answer"));
  }
}
