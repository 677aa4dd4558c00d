// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.contracts.Sender;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.publish.Outcome;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Artemis;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AmqpReceiverIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final String queue = SharedArtemis.newName();
  private final List<Received> received = new CopyOnWriteArrayList<>();

  private AmqpReceiver receiver() {
    return AmqpReceiver.from(SharedArtemis.broker(), queue).capability("queue");
  }

  private List<String> publish(int count) {
    List<Message> messages =
        IntStream.range(0, count)
            .mapToObj(i -> Message.to(queue, "order.placed").payload(new byte[] {(byte) i}).build())
            .toList();
    AmqpPublisher publisher = AmqpPublisher.to(SharedArtemis.broker()).capability("queue");
    try (Sender sender = new Sender(publisher, LONG)) {
      assertThat(sender.sendAll(messages)).containsOnly(Outcome.PUBLISHED);
    }
    return messages.stream().map(message -> message.id().toString()).toList();
  }

  private List<String> ids() {
    return received.stream().map(Received::id).toList();
  }

  private static void sendForeign(String queue, String text) throws Exception {
    try (PlainClient client = new PlainClient()) {
      client.send(queue, org.apache.qpid.protonj2.client.Message.create(text.getBytes(UTF_8)));
    }
  }

  @Test
  void rejectedMessageGoesWhereTheBrokerSendsDeadLettersAndOthersFollow() throws Exception {
    sendForeign(queue, "no event of " + queue);
    List<String> published = publish(3);
    try (RunningReceiver running = receiver().rejectUnreadable().start(received::addAll);
        PlainClient client = new PlainClient()) {
      Await.until("the others", LONG, () -> received.size() == 3);
      var dead = requireNonNull(client.take(Artemis.DEAD));
      assertThat(dead.body()).isEqualTo(("no event of " + queue).getBytes(UTF_8));
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(ids()).isEqualTo(published);
  }

  @Test
  void messageThatIsPassedOnComesToAnotherConsumer() throws Exception {
    sendForeign(queue, "no event");
    List<String> published = publish(3);
    try (RunningReceiver running = receiver().passUnreadableOn().start(received::addAll);
        PlainClient client = new PlainClient()) {
      Await.until("the others", LONG, () -> received.size() == 3);
      var passed = requireNonNull(client.take(queue));
      assertThat(passed.body()).isEqualTo("no event".getBytes(UTF_8));
      assertThat(passed.deliveryCount()).isEqualTo(1);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(ids()).isEqualTo(published);
  }

  @Test
  void brokerDeliversNoMoreThanTheWindow() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<Received> slowly = new CopyOnWriteArrayList<>();
    publish(3);
    BatchHandler slowAfterThree =
        batch -> {
          if (slowly.size() >= 3) {
            entered.countDown();
            assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
          }
          slowly.addAll(batch);
        };
    try (RunningReceiver slow = receiver().window(5).start(slowAfterThree)) {
      Await.until("credit was used and given again", LONG, () -> slowly.size() == 3);
      publish(20);
      assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
      try (RunningReceiver other = receiver().start(received::addAll)) {
        Await.until("the rest", LONG, () -> received.size() >= 15);
        assertThat(other.isRunning()).isTrue();
      }
      goOn.countDown();
      assertThat(slow.isRunning()).isTrue();
      Await.until("all", LONG, () -> received.size() + slowly.size() >= 23);
    }
    assertThat(received).hasSize(15);
    assertThat(slowly).hasSize(8);
  }

  /** Otherwise a receiver that is often restarted would fill the broker's dead letters. */
  @Test
  void whatIsGivenBackCountsAsNoFailure() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    publish(3);
    for (int i = 0; i < 3; i++) {
      RunningReceiver running =
          receiver()
              .start(
                  batch -> {
                    entered.countDown();
                    throw new IllegalStateException("not now");
                  });
      assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
      running.close();
    }
    try (PlainClient client = new PlainClient()) {
      var first = requireNonNull(client.take(queue));
      assertThat(first.deliveryCount()).isZero();
      assertThat(first.body()).isEqualTo(new byte[] {0});
    }
  }

  @Test
  void messageThatIsTooLargeIsNotHeldInMemory() throws Exception {
    List<String> noted = new CopyOnWriteArrayList<>();
    sendForeign(queue, "x".repeat(2_000_000));
    List<String> published = publish(3);
    AmqpReceiver careful =
        receiver()
            .messageBytesMax(1_000_000)
            .unreadable(
                (place, payload, reason) ->
                    noted.add(payload.length + " " + place + ": " + reason));
    try (RunningReceiver running = careful.start(received::addAll)) {
      Await.until("the others", LONG, () -> received.size() == 3);
      assertThat(running.isRunning()).isTrue();
    }
    assertThat(ids()).isEqualTo(published);
    assertThat(noted).hasSize(1);
    assertThat(noted.get(0)).startsWith("0 message 1 from address " + queue).contains("1000000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", Artemis.DENIED})
  void addressThatGivesNothingIsWaitedForAndTheLogSaysWhy(String bad) {
    CapturedLog.start();
    AmqpReceiver receiver = AmqpReceiver.from(SharedArtemis.broker(), bad);
    try (RunningReceiver running = receiver.start(received::addAll)) {
      Await.until("the log says it", LONG, () -> CapturedLog.has("address '" + bad + "': amqp:"));
      assertThat(running.isRunning()).isTrue();
    } finally {
      assertThat(CapturedLog.stop()).doesNotContain(Artemis.PASSWORD);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "with space", "ümlaut"})
  void addressThatIsNoNameIsRefusedAtTheDoor(String bad) {
    assertThatThrownBy(() -> AmqpReceiver.from(SharedArtemis.broker(), bad))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-021");
  }
}
