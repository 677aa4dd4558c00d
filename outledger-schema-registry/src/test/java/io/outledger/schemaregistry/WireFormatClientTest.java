// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import static io.outledger.servers.ScriptedRegistry.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    PublisherClient client = opened(outcomes);
    peer.answer(says(409, "{}"));
    client.publish(1, 1, WireFormatPublisherTest.order("a"));
    peer.answer(says(200, "{\"id\":7}"));
    client.publish(2, 1, WireFormatPublisherTest.order("a"));
    assertThat(outcomes).hasSize(2).hasOnlyElementsOfType(Outcome.Rejected.class);
    assertThat(broker.messages()).isEmpty();

    client.flush();
    client.publish(3, 1, WireFormatPublisherTest.order("a"));
    assertThat(broker.messages()).hasSize(1);
  }

  private PublisherClient opened(List<Outcome> outcomes) {
    return WireFormatPublisher.around(broker, registry, WireFormatPublisherTest::schemas)
        .open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome));
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void theNextClientIsOpenedOnceTheRegistryAnswers() {
    peer.answer(says(503, "{}"));
    WireFormatPublisher publisher =
        WireFormatPublisher.around(broker, registry, WireFormatPublisherTest::schemas);
    PublisherClient client = publisher.open(Duration.ofMinutes(1), (position, outcome) -> {});
    client.publish(1, 1, WireFormatPublisherTest.order("a"));
    assertThatThrownBy(() -> publisher.open(Duration.ofMinutes(1), (position, outcome) -> {}))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContaining("status 503");
    peer.answer(says(200, "{\"id\":7}"));
    publisher.open(Duration.ofMinutes(1), (position, outcome) -> {}).close();
  }

  @Test
  void theNextClientDoesNotWaitForWhatOneSubjectAloneIsDenied() {
    peer.answer(says(403, "{}"));
    WireFormatPublisher publisher =
        WireFormatPublisher.around(broker, registry, WireFormatPublisherTest::schemas);
    PublisherClient client = publisher.open(Duration.ofMinutes(1), (position, outcome) -> {});
    client.publish(1, 1, WireFormatPublisherTest.order("a"));
    client.close();
    publisher.open(Duration.ofMinutes(1), (position, outcome) -> {}).close();
    assertThat(peer.requests()).isNotEmpty();
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
        WireFormatPublisher.around(new Waiting(), registry, WireFormatPublisherTest::schemas)
            .open(Duration.ofMinutes(1), (position, outcome) -> outcomes.add(outcome));
    client.publish(1, 1, WireFormatPublisherTest.order("a"));
    client.publish(2, 1, WireFormatPublisherTest.order("b"));
    assertThat(client.recall()).containsExactlyInAnyOrder(1L, 2L);
    client.close();
    assertThat(outcomes).isEmpty();
  }
}
