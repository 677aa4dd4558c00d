// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sns.SnsAsyncClient;

/** What is asked of SNS, and what its documented answers mean. */
final class SnsPublisherIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(10);
  private static final String ARNS = "arn:aws:sns:eu-central-1:123456789012:";
  private static final String ENTRY = "PublishBatchRequestEntries.member.1.";

  private final SnsStand stand = new SnsStand();
  private final SnsAsyncClient client = stand.client();

  @AfterEach
  void close() {
    client.close();
    stand.close();
  }

  private List<Outcome> outcomes(UnaryOperator<String> arns, List<Message> messages) {
    try (Sender sender =
        new Sender(SnsPublisher.with(client, arns).source("/shop"), DELIVERY_TIME_MAX)) {
      return sender.sendAll(messages);
    }
  }

  private List<Outcome> outcomes(List<Message> messages) {
    return outcomes(topic -> ARNS + topic, messages);
  }

  private static Message message(String topic, String key) {
    return Message.to(topic, "order.placed").key(key).payload("{}".getBytes(UTF_8)).build();
  }

  private static List<Message> messages(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("orders.fifo", "k" + i)).toList();
  }

  @Test
  void messagesOfAFifoTopicTravelInBatchesWithTheirGroups() {
    Message first = message("orders.fifo", "ü");
    assertThat(outcomes(List.of(first))).containsExactly(Outcome.PUBLISHED);
    assertThat(stand.requests().get(0))
        .containsEntry("Action", "PublishBatch")
        .containsEntry("TopicArn", ARNS + "orders.fifo")
        .containsEntry(ENTRY + "Message", "{}")
        .containsEntry(ENTRY + "MessageDeduplicationId", first.id() + ":orders.fifo")
        .containsEntry(ENTRY + "MessageGroupId", FifoNames.of("ü"))
        .containsValue("ce_type")
        .containsValue("order.placed");
    assertThat(outcomes(messages(25))).containsOnly(Outcome.PUBLISHED);
    assertThat(stand.requests()).hasSize(4);
  }

  @Test
  void standardTopicHasNoGroups() {
    assertThat(outcomes(List.of(message("orders", "k")))).containsExactly(Outcome.PUBLISHED);
    Map<String, String> request = stand.requests().get(0);
    assertThat(request).doesNotContainKeys(ENTRY + "MessageGroupId");
  }

  @Test
  void messageOfABatchThatFailsLeavesTheOthersPublished() {
    stand.fail("1");
    List<Outcome> outcomes = outcomes(messages(3));
    assertThat(outcomes.get(1))
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class,
            unavailable -> assertThat(unavailable.reason()).contains("InternalError"));
    assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsOnly(Outcome.PUBLISHED);
  }

  @Test
  void missingTopicAndMissingRightsAreTheTopicsFaultAndWrongCredentialsAnOutage() {
    for (String code : List.of("NotFound", "AuthorizationError", "KMSAccessDenied")) {
      stand.refuse(code);
      assertThat(outcomes(messages(2)))
          .allSatisfy(
              outcome ->
                  assertThat(outcome)
                      .isInstanceOfSatisfying(
                          Outcome.Rejected.class,
                          rejected -> {
                            assertThat(rejected.kind()).isEqualTo(Kind.TOPIC);
                            assertThat(rejected.reason()).contains(code, ARNS + "orders.fifo");
                          }));
    }
    stand.refuse("InvalidClientTokenId");
    assertThat(outcomes(messages(2)))
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        unavailable -> assertThat(unavailable.isFateKnown()).isTrue()));
  }

  @Test
  void whatIsTooLargeOrHasNoArnIsNotSent() {
    Message large = Message.to("orders", "t").payload("x".repeat(262_000).getBytes(UTF_8)).build();
    assertThat(outcomes(List.of(large)).get(0).toString()).contains("more than the 262144");
    assertThat(outcomes(UnaryOperator.identity(), List.of(message("orders", "k"))).get(0))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            rejected -> {
              assertThat(rejected.kind()).isEqualTo(Kind.FINAL);
              assertThat(rejected.reason()).contains("is not the ARN of an SNS topic");
            });
    assertThat(stand.requests()).isEmpty();
  }
}
