// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected.Kind;
import io.outledger.servers.Ports;
import io.outledger.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** What each failure of SQS means for a message. */
final class SqsPublisherFaultsIT {

  private static final Duration DELIVERY_TIME_MAX = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofMillis(1_600);
  private static final String SEND = "SendMessageBatch";
  private static final int SILENT = 400; // more than may be on their way to one queue

  private final CountDownLatch ended = new CountDownLatch(1);
  private final AwsFront front = new AwsFront();
  private final String queue = SharedElasticMq.newFifoName();
  private final String url = SqsQueues.create(queue);
  private final SqsAsyncClient client = client(front.port());

  private static SqsAsyncClient client(int port) {
    return SharedElasticMq.client(port)
        .overrideConfiguration(limits -> limits.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  @AfterEach
  void close() {
    front.pass();
    client.close();
    front.close();
    SqsQueues.delete(url);
  }

  private SqsPublisher publisher() {
    return SqsPublisher.with(client);
  }

  private Message message(String key) {
    return Message.to(queue, "order.placed").key(key).payload(new byte[] {'x'}).build();
  }

  private List<Message> messages(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("k" + i)).toList();
  }

  private static List<Outcome> outcomes(SqsPublisher publisher, List<Message> messages) {
    try (Sender sender = new Sender(publisher, DELIVERY_TIME_MAX)) {
      return sender.sendAll(messages);
    }
  }

  private static Outcome outcome(SqsPublisher publisher, Message message) {
    return outcomes(publisher, List.of(message)).get(0);
  }

  private static void assertRejected(Outcome outcome, Kind kind, String... parts) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            rejected -> {
              assertThat(rejected.kind()).isEqualTo(kind);
              assertThat(rejected.reason()).contains(parts);
            });
  }

  private static void assertUnavailable(Outcome outcome, boolean isFateKnown, String... parts) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Unavailable.class,
            unavailable -> {
              assertThat(unavailable.isFateKnown()).isEqualTo(isFateKnown);
              assertThat(unavailable.reason()).contains(parts);
            });
  }

  private List<String> idsInTheQueue() {
    List<String> ids = new ArrayList<>();
    List<software.amazon.awssdk.services.sqs.model.Message> taken = SqsQueues.take(url);
    while (!taken.isEmpty()) {
      taken.forEach(
          each ->
              ids.add(Objects.requireNonNull(each.messageAttributes().get("ce_id")).stringValue()));
      taken = SqsQueues.take(url);
    }
    return ids;
  }

  private static List<String> ids(List<Message> messages) {
    return messages.stream().map(message -> message.id().toString()).toList();
  }

  @Test
  void messagesTravelInBatchesOfTen() {
    List<Message> messages = messages(95);
    assertThat(outcomes(publisher(), messages)).containsOnly(Outcome.PUBLISHED);
    assertThat(front.count(SEND)).isEqualTo(10);
    assertThat(front.count("GetQueueUrl")).isEqualTo(1);
    assertThat(idsInTheQueue()).containsExactlyInAnyOrderElementsOf(ids(messages));
  }

  @Test
  void addressWithoutAServerIsUnavailable() {
    int port = Ports.free();
    try (SqsAsyncClient nowhere = client(port)) {
      assertUnavailable(
          outcome(SqsPublisher.with(nowhere), message("k")), false, "127.0.0.1:" + port);
    }
  }

  @Test
  void missingQueueIsHeldBackUntilItIsThereAndTheOthersContinue() {
    String missing = SharedElasticMq.newFifoName();
    Message first = Message.to(missing, "order.placed").key("k").build();
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      List<Outcome> outcomes = sender.sendAll(List.of(first, message("l")));
      assertRejected(outcomes.get(0), Kind.TOPIC, missing, "publishing creates none");
      assertThat(outcomes.get(1)).isEqualTo(Outcome.PUBLISHED);
      SqsQueues.create(missing);
      assertThat(sender.sendAll(List.of(first))).containsExactly(Outcome.PUBLISHED);
    }
  }

  @Test
  void queueThatWasMadeAgainIsFoundAgain() {
    try (Sender sender = new Sender(publisher(), DELIVERY_TIME_MAX)) {
      assertThat(sender.sendAll(List.of(message("k")))).containsExactly(Outcome.PUBLISHED);
      SqsQueues.delete(url);
      assertRejected(sender.sendAll(List.of(message("k"))).get(0), Kind.TOPIC, "does not exist");
      SqsQueues.create(queue);
      assertThat(sender.sendAll(List.of(message("k")))).containsExactly(Outcome.PUBLISHED);
    }
  }

  @Test
  void rightThatIsMissingIsTheQueuesFault() {
    front.refuse(SEND, 403, "AccessDenied");
    assertRejected(
        outcome(publisher(), message("k")), Kind.TOPIC, "AccessDenied", "give the user the right");
  }

  @Test
  void userWhoMayNotAskForAttributesPublishes() {
    front.refuse("GetQueueAttributes", 403, "AccessDenied");
    assertThat(outcome(publisher(), message("k"))).isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void wrongCredentialsAreAnOutageAndNoMessagesFault() {
    front.refuse("GetQueueUrl", 403, "InvalidClientTokenId");
    Outcome first = outcome(publisher(), message("k"));
    assertUnavailable(first, true, "InvalidClientTokenId", queue);
    // The same text each time, so that a log can tell that it has said it.
    assertThat(outcome(publisher(), message("k"))).isEqualTo(first);
    front.refuse("GetQueueUrl", 400, "UnrecognizedClientException");
    assertUnavailable(outcome(publisher(), message("k")), true, "UnrecognizedClientException");
  }

  @Test
  void throttlingIsAnOutageWithAKnownFateAndAFailureOfSqsIsOneWithout() {
    front.refuse(SEND, 400, "ThrottlingException");
    assertUnavailable(outcome(publisher(), message("k")), true, "ThrottlingException");
    front.refuse(SEND, 403, "RequestThrottled");
    assertUnavailable(outcome(publisher(), message("k")), true, "RequestThrottled");
    front.refuse(SEND, 500, "InternalFailure");
    assertUnavailable(outcome(publisher(), message("k")), false, "InternalFailure");
    front.refuse(SEND, 503, "ServiceUnavailable");
    assertUnavailable(outcome(publisher(), message("k")), false, "ServiceUnavailable");
  }

  @Test
  void unknownErrorIsSuspect() {
    front.refuse(SEND, 400, "UnsupportedOperation");
    assertRejected(
        outcome(publisher(), message("k")), Kind.SUSPECT, "UnsupportedOperation", "on purpose");
  }

  @Test
  void messageOfABatchThatFailsLeavesTheOthersPublished() {
    List<Message> messages = messages(5);
    front.rule(SEND, body -> front.passOnWithout(body, 2, "RequestThrottled", true));
    List<Outcome> outcomes = outcomes(publisher(), messages);
    assertUnavailable(outcomes.get(2), true, "RequestThrottled");
    front.rule(SEND, body -> front.passOnWithout(body, 2, "InternalError", false));
    assertUnavailable(outcomes(publisher(), messages).get(2), false, "InternalError");
    front.rule(SEND, body -> front.passOnWithout(body, 2, "InvalidMessageContents", true));
    assertRejected(outcomes(publisher(), messages).get(2), Kind.DEFINITE, "InvalidMessageContents");
    List<Outcome> others = new ArrayList<>(outcomes);
    others.remove(2);
    assertThat(others).hasSize(4).containsOnly(Outcome.PUBLISHED);
    front.pass();
    assertThat(outcome(publisher(), messages.get(2))).isEqualTo(Outcome.PUBLISHED);
    assertThat(idsInTheQueue()).containsExactlyInAnyOrderElementsOf(ids(messages));
  }

  @Test
  void messageThatHasItsWholeBatchRefusedIsFoundAndTheOthersArePublished() {
    Message bad = Message.to(queue, "t").key("b").payload("poison".getBytes(UTF_8)).build();
    List<Message> messages = new ArrayList<>(messages(4));
    messages.add(2, bad);
    front.rule(
        SEND, body -> body.contains("poison") ? front.error(400, "BatchRequestTooLong") : null);
    List<Outcome> outcomes = new ArrayList<>(outcomes(publisher(), messages));
    assertRejected(outcomes.remove(2), Kind.DEFINITE, "BatchRequestTooLong");
    assertThat(outcomes).containsOnly(Outcome.PUBLISHED);
    assertThat(front.count(SEND)).isEqualTo(6);
  }

  @Test
  void messagesOfRefusedBatchesAreSentWithinTheSameLimitOfRequests() {
    AtomicInteger together = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    front.rule(
        SEND,
        body -> {
          if (body.contains("\"Id\":\"1\"")) {
            return front.error(400, "BatchRequestTooLong");
          }
          most.accumulateAndGet(together.incrementAndGet(), Math::max);
          try {
            return front.passOn(body);
          } finally {
            together.decrementAndGet();
          }
        });
    assertThat(outcomes(publisher(), messages(200))).containsOnly(Outcome.PUBLISHED);
    assertThat(most.get()).isBetween(2, 16);
  }

  @Test
  void batchIsNoLargerThanSqsAccepts() {
    List<Message> messages =
        IntStream.range(0, 12)
            .mapToObj(i -> Message.to(queue, "t").key("k" + i).payload(new byte[200_000]).build())
            .toList();
    assertThat(outcomes(publisher(), messages)).containsOnly(Outcome.PUBLISHED);
    assertThat(front.count(SEND)).isEqualTo(4); // three of 266,668 bytes in Base64 each
  }

  @Test
  void messageThatIsTooLargeIsRejectedBeforeItIsSent() {
    byte[] text = "x".repeat(1 << 20).getBytes(UTF_8);
    Message withoutRoomForAttributes = Message.to(queue, "t").key("k").payload(text).build();
    Message binary = Message.to(queue, "t").key("k").payload(new byte[800_000]).build();
    for (Message message : List.of(withoutRoomForAttributes, binary)) {
      assertRejected(outcome(publisher(), message), Kind.DEFINITE, "more than the 1048576");
    }
    front.rule(
        "GetQueueAttributes",
        body -> AwsFront.Answer.of("{\"Attributes\":{\"MaximumMessageSize\":\"2048\"}}"));
    Message large = Message.to(queue, "t").key("k").payload(new byte[2_000]).build();
    List<Outcome> outcomes = outcomes(publisher(), List.of(message("a"), large, message("b")));
    assertRejected(outcomes.get(1), Kind.DEFINITE, "more than the 2048");
    assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsOnly(Outcome.PUBLISHED);
    assertThat(front.count(SEND)).isEqualTo(1);
  }

  @Test
  void namesThatAreNoQueuesAreRefused() {
    for (String topic : List.of("a b", "a.b", "größe", "x".repeat(81), "a.fifo.fifo", ".fifo")) {
      Message message = Message.to(topic, "t").build();
      assertRejected(outcome(publisher(), message), Kind.FINAL, "is not a queue of SQS");
      assertThat(outcome(publisher().queues(any -> queue), message)).isEqualTo(Outcome.PUBLISHED);
      assertThat(outcome(publisher().queues(any -> url), message)).isEqualTo(Outcome.PUBLISHED);
    }
    SqsPublisher throwing =
        publisher()
            .queues(
                topic -> {
                  throw new IllegalStateException("no queue for " + topic);
                });
    assertRejected(outcome(throwing, message("k")), Kind.FINAL, "no queue for " + queue);
  }

  @Test
  void lostAnswerIsAnUnknownFateAndMakesNoDuplicateInAFifoQueue() {
    Message message = message("k");
    front.rule(
        SEND,
        body -> {
          front.passOn(body);
          return AwsFront.Answer.NONE;
        });
    Outcome first = outcome(publisher(), message);
    assertUnavailable(first, false, queue);
    // The same text each time, so that a log can tell that it has said it.
    assertThat(outcome(publisher(), message)).isEqualTo(first);
    front.pass();
    assertThat(outcome(publisher(), message)).isEqualTo(Outcome.PUBLISHED);
    assertThat(idsInTheQueue()).containsExactly(message.id().toString());
  }

  @Test
  void messagesOfOneIdAndTwoTopicsAreBothInAFifoQueue() {
    Message placed = Message.to("orders", "order.placed").key("k").build();
    Message audited = Message.to("audit", "order.placed").key("k").id(placed.id()).build();
    String id = placed.id().toString();
    try (Sender sender = new Sender(publisher().queues(topic -> queue), DELIVERY_TIME_MAX)) {
      assertThat(sender.sendAll(List.of(placed))).containsExactly(Outcome.PUBLISHED);
      assertThat(sender.sendAll(List.of(audited))).containsExactly(Outcome.PUBLISHED);
      assertThat(sender.sendAll(List.of(audited))).containsExactly(Outcome.PUBLISHED);
    }
    assertThat(idsInTheQueue()).containsExactly(id, id);
  }

  @Test
  void silentServerLeavesTheFateUnknown() {
    try (TcpProxy line = TcpProxy.before(SharedElasticMq.shared().port());
        SqsAsyncClient through = client(line.port());
        Sender sender = new Sender(SqsPublisher.with(through), SHORT)) {
      sender.connect(message("k"));
      line.swallowReplies();
      assertUnavailable(sender.sendAll(List.of(message("k"))).get(0), false, queue);
      line.pass();
    }
  }

  @Test
  void queueThatAnswersNothingIsToBlameAloneAndTheOthersContinue() {
    String silent = SharedElasticMq.newFifoName();
    String silentUrl = SqsQueues.create(silent);
    front.rule(SEND, body -> body.contains(silent) ? awaitEnd() : null);
    List<Message> toSilent =
        IntStream.range(0, SILENT)
            .mapToObj(i -> Message.to(silent, "order.placed").key("s" + i).build())
            .toList();
    List<Outcome> others = new ArrayList<>();
    try (Sender sender = new Sender(publisher(), Duration.ofSeconds(4))) {
      toSilent.forEach(sender::send);
      while (sender.outcomeCount() < SILENT + others.size()) {
        others.addAll(sender.sendAll(messages(5)));
      }
      assertThat(others).hasSizeGreaterThan(10).containsOnly(Outcome.PUBLISHED);
      for (Outcome each : sender.outcomes().subList(0, SILENT)) {
        assertUnavailable(each, false, "answer");
      }
    } finally {
      ended.countDown();
      SqsQueues.delete(silentUrl);
    }
  }

  private AwsFront.Answer awaitEnd() throws InterruptedException {
    ended.await();
    return AwsFront.Answer.NONE;
  }

  @Test
  void slowServerIsNoFailure() {
    try (TcpProxy line = TcpProxy.before(SharedElasticMq.shared().port());
        SqsAsyncClient through = client(line.port())) {
      line.delay(Duration.ofMillis(200));
      assertThat(outcomes(SqsPublisher.with(through), messages(300)))
          .containsOnly(Outcome.PUBLISHED);
    }
  }
}
