// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A client whose library answers later, with connections and answers that the test completes. */
final class AsyncClientTest {

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Message MESSAGE = Message.to("orders", "t").build();

  private final Map<Long, Outcome> outcomes = new ConcurrentHashMap<>();
  private final List<CompletableFuture<String>> connections = new ArrayList<>();
  private final Map<Long, CompletableFuture<Outcome>> sent = new ConcurrentHashMap<>();
  private final List<String> closed = new ArrayList<>();
  private final CountDownLatch reported = new CountDownLatch(1);
  private boolean isOpen = true;
  private boolean connectsAtOnce;
  private @Nullable Error connectFailure;

  private final Line<String> line =
      new Line<>() {
        @Override
        public CompletionStage<String> connect() {
          Error failure = connectFailure;
          if (failure != null) {
            throw failure;
          }
          CompletableFuture<String> connection = new CompletableFuture<>();
          connections.add(connection);
          if (connectsAtOnce) {
            connection.complete("a");
          }
          return connection;
        }

        @Override
        public boolean isOpen(String connection) {
          return isOpen;
        }

        @Override
        public CompletionStage<Outcome> send(String connection, long position, Message message) {
          return sent.computeIfAbsent(position, each -> new CompletableFuture<>());
        }

        @Override
        public void close(String connection) {
          closed.add(connection);
        }
      };

  private AsyncClient<String> client(Duration deliveryTimeMax) {
    return client(deliveryTimeMax, LONG);
  }

  private AsyncClient<String> client(Duration deliveryTimeMax, Duration connectMax) {
    return new AsyncClient<>(
        line,
        deliveryTimeMax,
        connectMax,
        (position, outcome) -> {
          assertThat(outcomes.put(position, outcome)).isNull();
          reported.countDown();
        });
  }

  private CompletableFuture<Outcome> answer(long position) {
    return requireNonNull(sent.get(position), "it was sent");
  }

  private void awaitOutcome() throws InterruptedException {
    assertThat(reported.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void messagesWaitForTheOneConnection() {
    AsyncClient<String> client = client(LONG);
    assertThat(connections).isEmpty();
    client.publish(1, 1, MESSAGE);
    client.publish(2, 1, MESSAGE);
    assertThat(connections).hasSize(1);
    assertThat(sent).isEmpty();
    connections.get(0).complete("a");
    assertThat(sent).containsOnlyKeys(1L, 2L);
    answer(2).complete(Outcome.PUBLISHED);
    assertThat(outcomes).containsOnly(Map.entry(2L, Outcome.PUBLISHED));
  }

  @Test
  void failedConnectionLeavesMessagesUnsentAndIsTriedAgainByTheNext() {
    AsyncClient<String> client = client(LONG);
    client.publish(1, 1, MESSAGE);
    connections.get(0).completeExceptionally(new IllegalStateException("no route"));
    assertThat(outcomes.get(1L))
        .isEqualTo(Outcome.unreachable("java.lang.IllegalStateException: no route"));
    client.publish(2, 1, MESSAGE);
    assertThat(connections).hasSize(2);
  }

  @Test
  void lostConnectionIsReplacedByTheNextMessage() {
    AsyncClient<String> client = client(LONG);
    client.publish(1, 1, MESSAGE);
    connections.get(0).complete("a");
    client.publish(2, 1, MESSAGE);
    assertThat(connections).hasSize(1);
    isOpen = false;
    client.publish(3, 1, MESSAGE);
    assertThat(connections).hasSize(2);
    assertThat(closed).containsExactly("a");
  }

  @Test
  void slowConnectionIsNoConnectionYetAndServesTheNextMessage() throws Exception {
    AsyncClient<String> client = client(Duration.ofMillis(20));
    client.publish(1, 1, MESSAGE);
    awaitOutcome();
    assertThat(outcomes.get(1L))
        .isEqualTo(Outcome.unreachable("not connected to the destination yet"));
    connections.get(0).complete("a");
    assertThat(sent).isEmpty();
    client.publish(2, 1, MESSAGE);
    assertThat(connections).hasSize(1);
    assertThat(sent).containsOnlyKeys(2L);
  }

  @Test
  void connectionThatIsNeverMadeIsReplacedAndClosedIfItComesLate() throws Exception {
    AsyncClient<String> client = client(LONG, Duration.ofMillis(20));
    client.publish(1, 1, MESSAGE);
    awaitOutcome();
    assertThat(outcomes.get(1L))
        .isEqualTo(Outcome.unreachable("not connected to the destination yet"));
    connectsAtOnce = true;
    client.publish(2, 1, MESSAGE);
    assertThat(connections).hasSize(2);
    assertThat(sent).containsOnlyKeys(2L);
    connections.get(0).complete("late");
    assertThat(closed).containsExactly("late");
  }

  @Test
  void partOfTheLibraryThatIsMissingCountsAgainstNoMessage() {
    connectFailure = new NoClassDefFoundError("native/Transport");
    client(LONG).publish(1, 1, MESSAGE);
    assertThat(outcomes.get(1L))
        .isEqualTo(Outcome.unreachable("java.lang.NoClassDefFoundError: native/Transport"));
  }

  @Test
  void messageWithoutAnAnswerIsToldAsSuch() throws Exception {
    connectsAtOnce = true;
    AsyncClient<String> client = client(Duration.ofMillis(20));
    client.publish(1, 1, MESSAGE);
    awaitOutcome();
    assertThat(outcomes.get(1L))
        .isEqualTo(Outcome.unanswered("the destination did not answer within the delivery time"));

    answer(1).complete(Outcome.PUBLISHED); // too late: the test's outcomes take each one once
  }

  @Test
  void failureToSendIsSuspect() {
    AsyncClient<String> client = client(LONG);
    client.publish(1, 1, MESSAGE);
    connections.get(0).complete("a");
    answer(1).completeExceptionally(new IllegalStateException("odd"));
    assertThat(outcomes.get(1L)).isEqualTo(Outcome.suspect("java.lang.IllegalStateException: odd"));
  }

  @Test
  void closingTellsOfEveryMessageAndClosesAConnectionThatComesLater() {
    AsyncClient<String> client = client(LONG);
    client.publish(1, 1, MESSAGE);
    client.close();
    client.publish(2, 1, MESSAGE);
    assertThat(outcomes.values())
        .hasSize(2)
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Unavailable.class));
    assertThat(closed).isEmpty();
    connections.get(0).complete("late");
    assertThat(closed).containsExactly("late");
    assertThat(sent).isEmpty();
  }
}
