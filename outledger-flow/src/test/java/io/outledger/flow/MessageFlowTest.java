// SPDX-License-Identifier: Apache-2.0
package io.outledger.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class MessageFlowTest {

  private static final Message MESSAGE = Message.to("orders", "order.placed").build();

  private final Map<Long, Outcome> outcomes = new TreeMap<>();
  private final MessageFlow flow = new MessageFlow(Runnable::run);
  private final Reader reader = new Reader();

  @Test
  void onlyWhatWasRequestedIsDeliveredAndOnlyWhatWasAcknowledgedIsSettled() {
    PublisherClient client = clientWith(1, 2, 3);
    flow.subscribe(reader);
    assertThat(reader.positions()).isEmpty();

    reader.subscription().request(2);
    assertThat(reader.positions()).containsExactly(1L, 2L);
    assertThat(outcomes).isEmpty();

    assertThat(reader.received.get(1).acknowledge()).isTrue();
    assertThat(reader.received.get(1).acknowledge()).isFalse();
    assertThat(outcomes).containsExactly(Map.entry(2L, Outcome.PUBLISHED));
    client.close();
  }

  @Test
  void aSubscriberRejectsAndRefuses() {
    clientWith(1, 2);
    flow.subscribe(reader);
    reader.subscription().request(Long.MAX_VALUE);

    reader.received.get(0).reject("no stock");
    reader.received.get(1).refuse("unknown currency");

    assertThat(outcomes)
        .containsEntry(1L, Outcome.suspect("no stock"))
        .containsEntry(2L, Outcome.refused("unknown currency"));
  }

  @Test
  void whatFollowsARejectedMessageIsNotDeliveredBeforeIt() {
    PublisherClient client = flow.open(Duration.ofMinutes(1), outcomes::put);
    publish(client, "o-1", 1, 2, 3);
    publish(client, "o-2", 4);
    flow.subscribe(reader);
    reader.subscription().request(1);

    reader.received.get(0).reject("no stock");
    publish(client, "o-1", 5); // the relay has not heard yet
    reader.subscription().request(Long.MAX_VALUE);

    assertThat(reader.positions()).containsExactly(1L, 4L);
    assertThat(outcomes)
        .containsOnlyKeys(1L, 2L, 3L, 5L)
        .containsEntry(1L, Outcome.suspect("no stock"));
    assertThat(List.of(2L, 3L, 5L))
        .allSatisfy(
            position ->
                assertThat(outcomes.get(position))
                    .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        it -> assertThat(it.kind()).isEqualTo(Outcome.Rejected.Kind.BEHIND)));

    publish(client, "o-1", 1, 2, 3, 5, 6);
    assertThat(reader.positions()).containsExactly(1L, 4L, 1L, 2L, 3L, 5L, 6L);
  }

  @Test
  void keysOfOldRejectionsAreForgotten() {
    FlowHolds holds = new FlowHolds();
    for (int i = 0; i <= FlowHolds.KEYS_MAX; i++) {
      holds.hold("o-" + i, i);
    }
    assertThat(holds.keeps("o-0", Long.MAX_VALUE)).isFalse();
    assertThat(holds.keeps("o-1", Long.MAX_VALUE)).isTrue();
  }

  private static void publish(PublisherClient client, String key, long... positions) {
    Message message = Message.to("orders", "order.placed").key(key).build();
    for (long position : positions) {
      client.publish(position, 1, message);
    }
  }

  @Test
  void whatWasDeliveredBeforeACancellationCanStillBeAcknowledged() {
    clientWith(1, 2, 3);
    flow.subscribe(reader);
    reader.subscription().request(2);
    reader.subscription().cancel();
    reader.subscription().request(1);

    assertThat(reader.positions()).containsExactly(1L, 2L);
    assertThat(reader.received.get(0).acknowledge()).isTrue();
    assertThat(outcomes).containsOnlyKeys(1L);
  }

  @Test
  void theNextSubscriberGetsWhatTheOneBeforeDidNotAcknowledge() {
    clientWith(1, 2, 3);
    flow.subscribe(reader);
    reader.subscription().request(2);
    reader.received.get(0).acknowledge();
    reader.subscription().cancel();

    Reader next = new Reader();
    flow.subscribe(next);
    next.subscription().request(10);

    assertThat(next.positions()).isEmpty();
    assertThat(reader.received.get(1).acknowledge()).isFalse();
    assertThat(outcomes.get(2L)).isInstanceOf(Outcome.Unavailable.class);
    assertThat(outcomes.get(3L)).isInstanceOf(Outcome.Unavailable.class);
    clientWith(2, 3);
    assertThat(next.positions()).containsExactly(2L, 3L);
  }

  @Test
  void aClosedClientDeliversNothingMoreAndGivesEverythingBack() {
    PublisherClient client = clientWith(1, 2);
    flow.subscribe(reader);
    reader.subscription().request(1);

    client.close();
    reader.subscription().request(1);
    client.publish(3, 1, MESSAGE);

    assertThat(reader.positions()).containsExactly(1L);
    assertThat(reader.received.get(0).acknowledge()).isFalse();
    assertThat(outcomes.values())
        .hasSize(3)
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Unavailable.class));
  }

  @Test
  void aSecondSubscriberIsRefused() {
    flow.subscribe(reader);
    Reader second = new Reader();
    flow.subscribe(second);

    assertThat(second.failure).isInstanceOf(IllegalStateException.class);
    assertThat(reader.failure).isNull();
  }

  @Test
  void aSubscriberThatThrowsIsCancelledAndItsMessageIsForTheNextOne() {
    clientWith(1, 2);
    reader.throwing = true;
    flow.subscribe(reader);
    reader.subscription().request(2);

    assertThat(reader.positions()).containsExactly(1L);
    assertThat(outcomes).isEmpty();
    flow.subscribe(new Reader());
    assertThat(outcomes).containsOnlyKeys(1L, 2L);
  }

  @Test
  void closingCompletesAndLeavesWhatWasDeliveredToBeAcknowledged() {
    clientWith(1, 2);
    flow.subscribe(reader);
    reader.subscription().request(1);

    flow.close();

    assertThat(reader.completed).isTrue();
    assertThat(outcomes).containsOnlyKeys(2L);
    assertThat(reader.received.get(0).acknowledge()).isTrue();
  }

  @Test
  void anExecutorThatTakesNoMoreGivesMessagesBack() {
    MessageFlow stuck =
        new MessageFlow(
            work -> {
              throw new RejectedExecutionException("shut down");
            });
    PublisherClient client = stuck.open(Duration.ofMinutes(1), outcomes::put);
    client.publish(1, 1, MESSAGE);
    stuck.subscribe(reader);

    assertThat(outcomes).containsOnlyKeys(1L);
  }

  @Test
  void anExecutorThatFailsOtherwiseGivesMessagesBackAndIsAskedAgain() {
    AtomicBoolean broken = new AtomicBoolean();
    MessageFlow shaky = shaky(broken, new IllegalStateException("no thread"));
    shaky.subscribe(reader);
    reader.subscription().request(10);
    broken.set(true);
    shaky.open(Duration.ofMinutes(1), outcomes::put).publish(1, 1, MESSAGE);
    assertThat(outcomes.get(1L)).isInstanceOf(Outcome.Unavailable.class);

    broken.set(false);
    shaky.open(Duration.ofMinutes(1), outcomes::put).publish(1, 1, MESSAGE);
    assertThat(reader.positions()).containsExactly(1L);
  }

  /** The relay hands over the next message before it has heard what became of the first. */
  @Test
  void nothingOvertakesAMessageThatWasGivenBack() {
    AtomicBoolean broken = new AtomicBoolean();
    MessageFlow shaky = shaky(broken, new RejectedExecutionException("full"));
    shaky.subscribe(reader);
    reader.subscription().request(10);
    broken.set(true);
    List<PublisherClient> relay = new ArrayList<>();
    relay.add(
        shaky.open(
            Duration.ofMinutes(1),
            (position, outcome) -> {
              outcomes.put(position, outcome);
              if (position == 1) {
                broken.set(false);
                relay.get(0).publish(2, 1, MESSAGE);
              }
            }));
    relay.get(0).publish(1, 1, MESSAGE);

    assertThat(reader.positions()).isEmpty();
    assertThat(outcomes).containsOnlyKeys(1L, 2L);
    assertThat(outcomes.values())
        .as("a client that is kept would never be taken on again")
        .anyMatch(outcome -> outcome instanceof Outcome.Unavailable away && !away.isFateKnown());
  }

  private static MessageFlow shaky(AtomicBoolean broken, RuntimeException failure) {
    return new MessageFlow(
        work -> {
          if (broken.get()) {
            throw failure;
          }
          work.run();
        });
  }

  private PublisherClient clientWith(long... positions) {
    PublisherClient client = flow.open(Duration.ofMinutes(1), outcomes::put);
    for (long position : positions) {
      client.publish(position, 1, MESSAGE);
    }
    client.flush();
    return client;
  }

  /** Keeps what it gets. */
  private static final class Reader implements Flow.Subscriber<FlowMessage> {

    private final List<FlowMessage> received = new ArrayList<>();
    private Flow.@Nullable Subscription subscription;
    private @Nullable Throwable failure;
    private boolean completed;
    private boolean throwing;

    Flow.Subscription subscription() {
      Flow.Subscription current = subscription;
      if (current == null) {
        throw new IllegalStateException("not subscribed");
      }
      return current;
    }

    List<Long> positions() {
      return received.stream().map(FlowMessage::position).toList();
    }

    @Override
    public void onSubscribe(Flow.Subscription granted) {
      subscription = granted;
    }

    @Override
    public void onNext(FlowMessage message) {
      received.add(message);
      if (throwing) {
        throw new IllegalStateException("on purpose");
      }
    }

    @Override
    public void onError(Throwable cause) {
      failure = cause;
    }

    @Override
    public void onComplete() {
      completed = true;
    }
  }
}
