// SPDX-License-Identifier: Apache-2.0
package io.outledger.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real relay publishes to a flow: nothing is lost by a crash or a cancellation. */
final class StreamedSubscriptionTest {

  private static final int STEPS = 100;

  private final SettableClock clock = new SettableClock();
  private final InMemoryLedger ledger = new InMemoryLedger(clock);
  private final MessageFlow flow = new MessageFlow(Runnable::run);
  private final Relay relay = relay(flow);
  private final List<Integer> parkedAttempts = new ArrayList<>();
  private final List<Long> died = new ArrayList<>();

  @BeforeEach
  void appendThree() {
    Message message = Message.to("orders", "order.placed").key("o-1").build();
    ledger.inNewTransaction(message, message.copy().build(), message.copy().build());
  }

  private Relay relay(MessageFlow to) {
    return new Relay(
        ledger.relayStore("stream", Start.EARLIEST),
        List.of(Route.only(to)),
        RelayOptions.defaults(),
        this::note,
        new Relay.Surroundings(clock, new SplittableRandom(1)));
  }

  @Test
  void whatWasAcknowledgedIsSettledAndNothingElse() {
    Reader reader = subscribe(flow, 2);
    work(relay);
    assertThat(reader.positions()).containsExactly(1L, 2L);
    reader.received.get(0).acknowledge();
    work(relay);

    assertThat(ledger.subscription("stream").frontier().isSettled(1)).isTrue();
    assertThat(ledger.subscription("stream").frontier().isSettled(2)).isFalse();
  }

  @Test
  void aCrashDeliversAgainWhatWasNotAcknowledged() {
    Reader reader = subscribe(flow, 2);
    work(relay);
    reader.received.get(0).acknowledge();
    work(relay);
    relay.close();

    assertThat(reader.received.get(1).acknowledge()).isFalse();
    MessageFlow next = new MessageFlow(Runnable::run);
    Reader successor = subscribe(next, Long.MAX_VALUE);
    work(relay(next));
    assertThat(successor.positions()).containsExactly(2L, 3L);
  }

  @Test
  void theNextSubscriberGetsWhatOneThatCancelledDidNotAcknowledgeInOrder() {
    Reader reader = subscribe(flow, 2);
    work(relay);
    reader.cancel();

    Reader successor = subscribe(flow, Long.MAX_VALUE);
    work(relay);
    // As after an outage, the relay sends one message and waits until it is acknowledged.
    assertThat(successor.positions()).containsExactly(1L);
    successor.received.get(0).acknowledge();
    work(relay);
    assertThat(successor.positions()).containsExactly(1L, 2L, 3L);
    successor.received.forEach(FlowMessage::acknowledge);
    work(relay);
    assertThat(ledger.subscription("stream").frontier().isSettled(3)).isTrue();
  }

  @Test
  void aRejectedMessageIsDeliveredAgainLater() {
    Reader reader = subscribe(flow, Long.MAX_VALUE);
    work(relay);
    reader.received.get(0).reject("no stock");
    work(relay);

    assertThat(reader.positions()).containsExactly(1L, 2L, 3L, 1L);
  }

  /** A subscriber that asks for the next message after it has rejected one. */
  @Test
  void whatFollowsARejectedMessageWaitsForItAndCountsNoAttempt() {
    List<Long> attempted = new ArrayList<>();
    flow.subscribe(
        oneAtATime(
            message -> {
              attempted.add(message.position());
              if (attempted.size() == 1) {
                message.reject("no stock");
              } else {
                message.acknowledge();
              }
            }));
    work(relay);

    assertThat(attempted).containsExactly(1L, 1L, 2L, 3L);
    assertThat(parkedAttempts).containsExactly(1);
  }

  @Test
  void whatFollowsARefusedMessageContinuesInOrderAndIsNoDeadLetter() {
    List<Long> attempted = new ArrayList<>();
    flow.subscribe(
        oneAtATime(
            message -> {
              attempted.add(message.position());
              if (message.position() == 1) {
                message.refuse("unknown currency");
              } else {
                message.acknowledge();
              }
            }));
    work(relay);

    assertThat(attempted).containsExactly(1L, 2L, 3L);
    assertThat(ledger.subscription("stream").frontier().isSettled(3)).isTrue();
    assertThat(died).containsExactly(1L);
  }

  private static Reader oneAtATime(Consumer<FlowMessage> work) {
    return new Reader(1) {
      @Override
      public void onNext(FlowMessage message) {
        work.accept(message);
        request(1);
      }
    };
  }

  private void note(RelayEvent event) {
    if (event instanceof RelayEvent.Parked parked) {
      parkedAttempts.add(parked.attempts());
    } else if (event instanceof RelayEvent.Died dead) {
      died.add(dead.message().position());
    }
  }

  private void work(Relay worker) {
    for (int step = 0; step < STEPS; step++) {
      worker.step();
      clock.advance(Duration.ofSeconds(1));
    }
  }

  private static Reader subscribe(MessageFlow to, long demand) {
    Reader reader = new Reader(demand);
    to.subscribe(reader);
    return reader;
  }

  /** Requests once, and keeps what it gets. */
  private static class Reader implements Flow.Subscriber<FlowMessage> {

    private final long demand;
    private final List<FlowMessage> received = new ArrayList<>();
    private Flow.@Nullable Subscription subscription;

    Reader(long demand) {
      this.demand = demand;
    }

    List<Long> positions() {
      return received.stream().map(FlowMessage::position).toList();
    }

    void request(long n) {
      Flow.Subscription current = subscription;
      if (current != null) {
        current.request(n);
      }
    }

    void cancel() {
      Flow.Subscription current = subscription;
      if (current != null) {
        current.cancel();
      }
    }

    @Override
    public void onSubscribe(Flow.Subscription granted) {
      subscription = granted;
      granted.request(demand);
    }

    @Override
    public void onNext(FlowMessage message) {
      received.add(message);
    }

    @Override
    public void onError(Throwable cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void onComplete() {
      // Its flow is not closed here.
    }
  }
}
