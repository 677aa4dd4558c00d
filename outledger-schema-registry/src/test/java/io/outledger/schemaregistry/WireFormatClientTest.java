// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import static io.outledger.servers.ScriptedRegistry.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.outledger.publish.BlockingClient;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.servers.ScriptedRegistry;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What one client does while its registry answers, refuses or is away. */
final class WireFormatClientTest {

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final SchemaRegistry registry =
      SchemaRegistry.at(peer.uri()).answerMax(Duration.ofMinutes(1));
  private final RecordingPublisher broker = new RecordingPublisher();

  @AfterEach
  void close() {
    peer.close();
  }

  @Test
  void aClientThatIsClosedWhileItAsksReportsOnce() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    peer.answer(
        exchange -> {
          asked.countDown();
          awaited(closed);
          says(200, "{\"id\":7}").to(exchange);
        });
    List<Outcome> outcomes = new ArrayList<>();
    PublisherClient client =
        WireFormatPublisher.around(broker, registry, WireFormatPublisherTest::schemas)
            .open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome));
    Thread publishing = new Thread(() -> client.publish(1, 1, WireFormatPublisherTest.order("a")));
    publishing.start();
    awaited(asked);
    client.close();
    closed.countDown();
    publishing.join();

    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Unavailable.class);
    assertThat(broker.messages()).isEmpty();
  }

  @Test
  void nothingOvertakesWhatTheRegistryDidNotAnswerFor() {
    List<Outcome> outcomes = new ArrayList<>();
    PublisherClient client = opened(outcomes);
    peer.answer(says(503, "{}"));
    client.publish(1, 1, WireFormatPublisherTest.order("a"));
    peer.answer(says(200, "{\"id\":7}"));
    client.publish(2, 1, WireFormatPublisherTest.order("a"));
    client.flush();
    client.publish(3, 1, WireFormatPublisherTest.order("a"));

    assertThat(outcomes).hasSize(3).hasOnlyElementsOfType(Outcome.Unavailable.class);
    assertThat(broker.messages()).isEmpty();
  }

  @Test
  void nothingOvertakesWhatWasRefusedBeforeTheRelayHasSeenIt() {
    List<Outcome> outcomes = new ArrayList<>();
    peer.answer(says(409, "{}"));
    PublisherClient client = firstAnswered(publisher(), outcomes);
    peer.answer(says(200, "{\"id\":7}"));
    client.publish(2, 1, WireFormatPublisherTest.order("a"));
    assertThat(outcomes).hasSize(2).hasOnlyElementsOfType(Outcome.Rejected.class);
    assertThat(broker.messages()).isEmpty();

    while (broker.messages().isEmpty()) { // a refusal stands until there is another answer
      client.flush();
      client.publish(3, 1, WireFormatPublisherTest.order("a"));
    }
    assertThat(outcomes.subList(2, outcomes.size() - 1))
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Rejected.class));
    assertThat(broker.messages()).hasSize(1);
  }

  private WireFormatPublisher publisher() {
    return WireFormatPublisher.around(broker, registry, WireFormatPublisherTest::schemas);
  }

  private PublisherClient opened(List<Outcome> outcomes) {
    return publisher().open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome));
  }

  /** Opens one as soon as the registry has answered for what was missed. */
  private static PublisherClient opened(WireFormatPublisher publisher, List<Outcome> outcomes) {
    while (true) {
      try {
        return publisher.open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome));
      } catch (DestinationUnavailableException e) {
        Thread.onSpinWait();
      }
    }
  }

  /** Publishes one message, and once more while there is no answer; returns the client. */
  private static PublisherClient firstAnswered(
      WireFormatPublisher publisher, List<Outcome> outcomes) {
    PublisherClient client = opened(publisher, outcomes);
    client.publish(1, 1, WireFormatPublisherTest.order("a"));
    while (!outcomes.isEmpty() && outcomes.get(0) instanceof Outcome.Unavailable) {
      outcomes.clear();
      client = opened(publisher, outcomes);
      client.publish(1, 1, WireFormatPublisherTest.order("a"));
    }
    return client;
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says nothing for a while, and then this. */
  private CountDownLatch silence(ScriptedRegistry.Answer then) {
    CountDownLatch silence = new CountDownLatch(1);
    peer.answer(
        exchange -> {
          awaited(silence);
          then.to(exchange);
        });
    return silence;
  }

  private static String message(WireFormatPublisher publisher) {
    try {
      publisher.open(Duration.ofMinutes(1), (position, outcome) -> {}).close();
      return "opened";
    } catch (DestinationUnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void nobodyWaitsForASilentRegistryAndItsAnswerIsUsedWhenItComes() {
    CountDownLatch silence = silence(says(200, "{\"id\":7}"));
    WireFormatPublisher publisher = publisher();
    List<Outcome> outcomes = new ArrayList<>();
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          PublisherClient client = opened(publisher, outcomes);
          client.publish(1, 1, WireFormatPublisherTest.order("a"));
          client.close();
          for (int i = 0; i < 1_000; i++) {
            assertThat(message(publisher)).contains("OUT-022", "127.0.0.1", "not answered yet");
          }
        });
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Unavailable.class);
    assertThat(broker.messages()).isEmpty();

    silence.countDown();
    PublisherClient client = opened(publisher, outcomes);
    client.publish(1, 1, WireFormatPublisherTest.order("a"));
    assertThat(broker.messages()).hasSize(1);
    assertThat(peer.requests()).hasSize(1);
  }

  @Test
  void aRefusalThatComesLateIsToldAndStandsWhileItIsAskedAgain() {
    CountDownLatch silence = silence(says(409, "{\"message\":\"FIELD_REMOVED\"}"));
    WireFormatPublisher publisher = publisher();
    List<Outcome> outcomes = new ArrayList<>();
    opened(publisher, outcomes).publish(1, 1, WireFormatPublisherTest.order("a"));
    silence.countDown();
    PublisherClient client = opened(publisher, outcomes);
    CountDownLatch again = silence(says(200, "{\"id\":7}"));
    client.publish(1, 1, WireFormatPublisherTest.order("a"));
    client.flush();
    client.publish(1, 1, WireFormatPublisherTest.order("a"));
    assertThat(message(publisher)).isEqualTo("opened"); // it is about one topic
    assertThat(outcomes).hasSize(3);
    assertThat(outcomes.subList(1, 3))
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        it -> {
                          assertThat(it.kind()).isEqualTo(Outcome.Rejected.Kind.TOPIC);
                          assertThat(it.reason()).contains("FIELD_REMOVED");
                        }));
    again.countDown();
    while (broker.messages().isEmpty()) {
      client.flush();
      client.publish(1, 1, WireFormatPublisherTest.order("a"));
    }
    assertThat(peer.requests()).hasSize(2);
  }

  @Test
  void theNextClientIsOpenedOnceTheRegistryAnswers() {
    peer.answer(says(503, "{}"));
    WireFormatPublisher publisher = publisher();
    PublisherClient client = publisher.open(Duration.ofMinutes(1), (position, outcome) -> {});
    client.publish(1, 1, WireFormatPublisherTest.order("a"));
    while (!message(publisher).contains("status 503")) {
      assertThat(message(publisher)).isNotEqualTo("opened");
    }
    peer.answer(says(200, "{\"id\":7}"));
    opened(publisher, new ArrayList<>()).close();
  }

  @Test
  void theNextClientDoesNotWaitForWhatOneSubjectAloneIsDenied() {
    peer.answer(says(403, "{}"));
    WireFormatPublisher publisher = publisher();
    List<Outcome> outcomes = new ArrayList<>();
    firstAnswered(publisher, outcomes).close();
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Rejected.class);
    publisher.open(Duration.ofMinutes(1), (position, outcome) -> {}).close();
  }

  /** Nothing that it is handed begins. */
  private static final class Waiting implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.ONE_AT_A_TIME;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      return new BlockingClient(
          task -> {}, (position, attempt, message) -> Outcome.PUBLISHED, outcomes);
    }
  }

  @Test
  void whatWaitsInThePublisherWithinIsTakenBack() {
    peer.answer(says(200, "{\"id\":7}"));
    List<Outcome> outcomes = new ArrayList<>();
    PublisherClient client =
        firstAnswered(
            WireFormatPublisher.around(new Waiting(), registry, WireFormatPublisherTest::schemas),
            outcomes);
    client.publish(2, 1, WireFormatPublisherTest.order("b"));
    assertThat(client.recall()).containsExactlyInAnyOrder(1L, 2L);
    client.close();
    assertThat(outcomes).isEmpty();
  }
}
