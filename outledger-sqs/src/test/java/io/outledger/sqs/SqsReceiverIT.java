// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.testing.InMemoryReceiverStore;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** Visibility, queues that are wrong or missing, and choices of the receiver. */
@Tag("long")
final class SqsReceiverIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofSeconds(2);

  private final AwsFront front = new AwsFront();
  private final SqsAsyncClient client = SharedElasticMq.client(front.port()).build();
  private final String fifo = SharedElasticMq.newFifoName();
  private final List<Received> received = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    CapturedLog.stop();
    client.close();
    front.close();
  }

  private static List<Message> publish(String queue, List<String> keys) {
    List<Message> messages =
        keys.stream().map(key -> Message.to(queue, "t").key(key).build()).toList();
    try (Sender sender =
        new Sender(SqsPublisher.with(SharedElasticMq.shared().direct()), PATIENCE)) {
      assertThat(sender.sendAll(messages)).containsOnly(Outcome.PUBLISHED);
    }
    return messages;
  }

  private static List<String> ids(List<Message> messages) {
    return messages.stream().map(message -> message.id().toString()).toList();
  }

  private List<String> receivedIds() {
    return received.stream().map(Received::id).toList();
  }

  @Test
  void whatWaitsForItsRetryIsKeptFromOthersForLongerThanTheVisibilityTimeout() {
    SqsQueues.create(fifo);
    List<Message> messages = publish(fifo, List.of("a", "a", "a"));
    AtomicInteger failures = new AtomicInteger();
    CountDownLatch well = new CountDownLatch(1);
    List<Received> elsewhere = new CopyOnWriteArrayList<>();
    SqsReceiver receiver = SqsReceiver.from(client, fifo).visibility(SHORT);
    try (RunningReceiver first =
        receiver.start(
            batch -> {
              if (well.getCount() > 0) {
                failures.incrementAndGet();
                throw new IllegalStateException("not now");
              }
              received.addAll(batch);
            })) {
      Await.until("it fails", PATIENCE, () -> failures.get() > 0);
      try (RunningReceiver second = receiver.start(elsewhere::addAll)) {
        // Each change keeps them for two seconds more.
        Await.until(
            "they are kept", PATIENCE, () -> front.count("ChangeMessageVisibilityBatch") >= 4);
        assertThat(elsewhere).isEmpty();
        assertThat(second.isRunning()).isTrue();
      }
      well.countDown();
      Await.until("they take effect", PATIENCE, () -> received.size() >= messages.size());
      assertThat(first.isRunning()).isTrue();
    }
    assertThat(receivedIds()).containsExactlyElementsOf(ids(messages));
  }

  @Test
  void whatFailsHoldsItsGroupAndNoOther() {
    SqsQueues.create(fifo);
    List<Message> bad = publish(fifo, List.of("bad", "bad"));
    List<Message> good = publish(fifo, List.of("a", "b", "c", "a"));
    CountDownLatch failing = new CountDownLatch(1);
    try (RunningReceiver receiver =
        SqsReceiver.from(client, fifo)
            .start(
                batch -> {
                  if (failing.getCount() > 0 && "bad".equals(batch.get(0).key())) {
                    throw new IllegalStateException("not now");
                  }
                  received.addAll(batch);
                })) {
      Await.until("the others arrive", PATIENCE, () -> received.size() == good.size());
      failing.countDown();
      Await.until("all arrive", PATIENCE, () -> receivedIds().containsAll(ids(bad)));
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(receivedIds())
        .hasSize(6)
        .containsAll(ids(good))
        .endsWith(ids(bad).toArray(new String[0]));
  }

  /** Longer than the SDK reads; the service itself takes 256 characters, others take any. */
  @Test
  void messageThatTheSdkCannotReadFailsItsPollAndNoOther() {
    String url = SqsQueues.create(fifo);
    List<Message> before = publish(fifo, List.of("a", "b", "c", "d"));
    String poison = "n".repeat(60_000);
    assertThat(new SqsStrangers(url).send("poison", "?", Map.of(poison, SqsStrangers.text("v"))))
        .isTrue();
    List<Message> after = publish(fifo, List.of("e", "f", "g", "h"));
    try (RunningReceiver receiver =
        SqsReceiver.from(client, fifo).visibility(SHORT).start(received::addAll)) {
      Await.until(
          "all others arrive",
          PATIENCE,
          () -> receivedIds().containsAll(ids(before)) && receivedIds().containsAll(ids(after)));
      assertThat(receiver.isRunning()).isTrue();
    }
  }

  @Test
  void closedReceiverGivesBackWhatItHas() {
    SqsQueues.create(fifo);
    List<Message> messages = publish(fifo, List.of("a", "a", "a"));
    AtomicInteger failures = new AtomicInteger();
    SqsReceiver receiver = SqsReceiver.from(client, fifo).visibility(Duration.ofHours(1));
    try (RunningReceiver first =
        receiver.start(
            batch -> {
              failures.incrementAndGet();
              throw new IllegalStateException("never here");
            })) {
      Await.until("it fails", PATIENCE, () -> failures.get() > 0);
      assertThat(first.isRunning()).isTrue();
    }
    try (RunningReceiver second = receiver.start(received::addAll)) {
      Await.until("they arrive", PATIENCE, () -> received.size() == messages.size());
      assertThat(second.isRunning()).isTrue();
    }
    assertThat(receivedIds()).containsExactlyElementsOf(ids(messages));
  }

  @Test
  void slowHandlerIsToldToRaiseTheVisibilityTimeout() {
    SqsQueues.create(fifo);
    List<Message> messages = publish(fifo, List.of("a", "a"));
    SqsReceiver receiver = SqsReceiver.from(client, fifo).visibility(SHORT);
    CountDownLatch done = new CountDownLatch(1);
    CapturedLog.start();
    List<Received> elsewhere = new CopyOnWriteArrayList<>();
    try (RunningReceiver slow =
        receiver.start(
            batch -> {
              received.addAll(batch);
              assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            })) {
      Await.until("it begins", PATIENCE, () -> !received.isEmpty());
      try (RunningReceiver other = receiver.start(elsewhere::addAll)) {
        Await.until(
            "another instance takes over", PATIENCE, () -> elsewhere.size() == messages.size());
        assertThat(other.isRunning()).isTrue();
      }
      done.countDown();
      Await.until("it is told", PATIENCE, () -> CapturedLog.has("raise visibility of SqsReceiver"));
      assertThat(slow.isRunning()).isTrue();
    }
    assertThat(elsewhere).extracting(Received::id).containsExactlyElementsOf(ids(messages));
  }

  @Test
  void whatAnInstanceThatDiedHadComesAgain() {
    String url = SqsQueues.create(fifo);
    List<Message> messages = publish(fifo, List.of("a", "a"));
    // It takes them and is never heard of again.
    var taken =
        SharedElasticMq.shared()
            .direct()
            .receiveMessage(
                request -> request.queueUrl(url).maxNumberOfMessages(10).visibilityTimeout(2))
            .join();
    assertThat(taken.messages()).hasSize(2);
    publish(fifo, List.of("a"));
    try (RunningReceiver receiver = SqsReceiver.from(client, fifo).start(received::addAll)) {
      Await.until("all arrive", PATIENCE, () -> received.size() == 3);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(receivedIds().subList(0, 2)).containsExactlyElementsOf(ids(messages));
  }

  @Test
  void lostAnswersOfAllKindsLoseNothing() {
    SqsQueues.create(fifo);
    List<String> keys = IntStream.range(0, 60).mapToObj(i -> "k" + i % 6).toList();
    List<Message> messages = publish(fifo, keys);
    AtomicInteger lost = new AtomicInteger();
    for (String action :
        List.of("ReceiveMessage", "DeleteMessageBatch", "ChangeMessageVisibilityBatch")) {
      front.rule(
          action,
          body -> {
            if (lost.incrementAndGet() % 3 == 0) {
              front.passOn(action, body);
              return AwsFront.Answer.NONE;
            }
            return null;
          });
    }
    try (RunningReceiver receiver =
        SqsReceiver.from(client, fifo).visibility(SHORT).start(received::addAll)) {
      Await.until(
          () -> receivedIds().stream().distinct().count() + " of 60",
          PATIENCE,
          () -> receivedIds().containsAll(ids(messages)));
      assertThat(receiver.isRunning()).isTrue();
    }
    for (String key : keys.subList(0, 6)) {
      assertThat(
              received.stream().filter(each -> key.equals(each.key())).map(Received::id).distinct())
          .containsExactlyElementsOf(
              ids(messages.stream().filter(each -> key.equals(each.key())).toList()));
    }
  }

  @Test
  void missingQueueIsWaitedForWithoutAFloodOfLines() {
    CapturedLog.start();
    try (RunningReceiver receiver = SqsReceiver.from(client, fifo).start(received::addAll)) {
      Await.until("it tries on", PATIENCE, () -> front.count("GetQueueUrl") >= 4);
      SqsQueues.create(fifo);
      publish(fifo, List.of("a"));
      Await.until("it arrives", PATIENCE, () -> received.size() == 1);
      assertThat(receiver.isRunning()).isTrue();
    }
    assertSaidOnceATry("does not exist", front.count("GetQueueUrl"));
  }

  @Test
  void wrongCredentialsAndMissingRightsAreWaitedForWithoutAFloodOfLines() {
    SqsQueues.create(fifo);
    publish(fifo, List.of("a"));
    front.refuse("GetQueueUrl", 403, "InvalidClientTokenId");
    CapturedLog.start();
    try (RunningReceiver receiver = SqsReceiver.from(client, fifo).start(received::addAll)) {
      Await.until("it tries on", PATIENCE, () -> front.count("GetQueueUrl") >= 4);
      assertSaidOnceATry("InvalidClientTokenId", front.count("GetQueueUrl"));
      front.pass();
      front.refuse("GetQueueAttributes", 403, "AccessDenied");
      front.refuse("ReceiveMessage", 403, "AccessDenied");
      CapturedLog.start();
      Await.until("it tries on", PATIENCE, () -> front.count("ReceiveMessage") >= 3);
      assertSaidOnceATry("cannot receive", front.count("ReceiveMessage"));
      front.pass();
      Await.until("it arrives", PATIENCE, () -> received.size() == 1);
      assertThat(receiver.isRunning()).isTrue();
    }
  }

  private static void assertSaidOnceATry(String part, long tries) {
    List<String> warnings =
        Arrays.stream(CapturedLog.stop().split("\n", -1))
            .filter(line -> line.startsWith("WARN") && line.contains(part))
            .toList();
    assertThat(warnings).hasSizeBetween(1, Math.toIntExact(tries));
  }

  @Test
  void queueThatWouldTakeMessagesAwayIsSpokenOf() {
    String dead = SharedElasticMq.newFifoName();
    SqsQueues.create(dead);
    String policy =
        "{\"deadLetterTargetArn\":\"arn:aws:sqs:elasticmq:000000000000:"
            + dead
            + "\",\"maxReceiveCount\":\"3\"}";
    SqsQueues.create(fifo, Map.of(QueueAttributeName.REDRIVE_POLICY, policy));
    CapturedLog.start();
    try (RunningReceiver receiver = SqsReceiver.from(client, fifo).start(received::addAll)) {
      Await.until("it says so", PATIENCE, () -> CapturedLog.has("after 3 receives"));
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(CapturedLog.stop())
        .containsOnlyOnce("OUT-039 SQS moves a message of '" + fifo + "'");
  }

  @Test
  void whatCannotBeReadHoldsNothingElseInAStandardQueue() {
    String queue = SharedElasticMq.newName();
    String url = SqsQueues.create(queue);
    SharedElasticMq.shared()
        .direct()
        .sendMessage(request -> request.queueUrl(url).messageBody("stranger"))
        .join();
    List<Message> messages = publish(queue, List.of("a", "b", "c"));
    try (RunningReceiver receiver =
        SqsReceiver.from(client, url).origin("mirror").start(received::addAll)) {
      Await.until("the others arrive", PATIENCE, () -> received.size() == messages.size());
      assertThat(receiver.isRunning()).isTrue();
    }
    assertThat(received)
        .allSatisfy(
            message -> {
              assertThat(message.topic()).isEqualTo(queue);
              assertThat(message.origin()).isEqualTo("mirror");
            });
  }

  @Test
  void anyNumberOfUnreadableMessagesOfAStandardQueueStopsNoOthers() {
    String queue = SharedElasticMq.newName();
    String url = SqsQueues.create(queue);
    List<SendMessageBatchRequestEntry> strangers =
        IntStream.range(0, 10)
            .mapToObj(i -> SendMessageBatchRequestEntry.builder().id("s" + i))
            .map(entry -> entry.messageBody("stranger").build())
            .toList();
    for (int i = 0; i < 110; i++) {
      SharedElasticMq.shared()
          .direct()
          .sendMessageBatch(request -> request.queueUrl(url).entries(strangers))
          .join();
    }
    List<Message> messages = publish(queue, List.of("a", "b", "c"));
    try (RunningReceiver receiver = SqsReceiver.from(client, queue).start(received::addAll)) {
      Await.until("the others arrive", PATIENCE, () -> received.size() == messages.size());
      assertThat(receiver.isRunning()).isTrue();
    }
  }

  @Test
  void inboxThatForgetsSoonerThanTheQueueIsRefused() {
    SqsQueues.create(fifo);
    front.rule(
        "GetQueueAttributes",
        body -> AwsFront.Answer.of("{\"Attributes\":{\"MessageRetentionPeriod\":\"1209600\"}}"));
    InMemoryReceiverStore store =
        new InMemoryReceiverStore("stock", TimeSource.system(), (message, attempt) -> {});
    store.retention(new InboxRetention(Duration.ofDays(1)));
    SqsReceiver receiver =
        SqsReceiver.from(client, fifo).options(ReceiverOptions.DEFAULT.withRetentionRequired());
    try (RunningReceiver running = receiver.start(store.handler())) {
      Await.until("it ends", PATIENCE, () -> !running.isRunning());
      assertThat(running.failure())
          .hasMessageStartingWith("OUT-018")
          .hasMessageContaining("(MessageRetentionPeriod) may deliver a message again for 14 days");
    }
  }

  @Test
  void choicesThatCannotBeAreRefused() {
    assertThatThrownBy(() -> SqsReceiver.from(client, "a b"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("is not a queue of SQS");
    SqsReceiver receiver = SqsReceiver.from(client, fifo);
    for (Duration wrong :
        List.of(Duration.ofSeconds(1), Duration.ofHours(13), Duration.ofMillis(2_500))) {
      assertThatThrownBy(() -> receiver.visibility(wrong))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("whole seconds");
    }
    assertThatThrownBy(() -> receiver.origin("a b")).isInstanceOf(ConfigurationException.class);
  }
}
