// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.BlockingClient;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.options.Route;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** One partition's relay, with a destination that the test works off by hand. */
class PartitionRelayTest {

  private static final String SUBSCRIPTION = "shared/1";

  private final SettableClock clock = new SettableClock();
  private final InMemoryLedger ledger = new InMemoryLedger(clock);
  private final Deque<Runnable> queued = new ArrayDeque<>();
  private final List<Message> sent = new ArrayList<>();
  private final Shared shared = new Shared();
  private final Publisher publisher =
      new Publisher() {
        @Override
        public KeyOrder keyOrder() {
          return KeyOrder.ONE_AT_A_TIME;
        }

        @Override
        public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
          return new BlockingClient(
              queued::add,
              (position, attempt, message) -> {
                sent.add(message);
                return Outcome.PUBLISHED;
              },
              outcomes);
        }
      };
  private final Relay relay =
      new Relay(
          new Partition(ledger.relayStore(SUBSCRIPTION, Start.EARLIEST), new Slots(4), 0, shared),
          List.of(Route.only(publisher)),
          RelayBench.options().build(),
          event -> {},
          new Relay.Surroundings(clock, new Random(1)));

  /** Gives back when the test says so. */
  private static final class Shared implements Sharing {
    private boolean gives;

    @Override
    public boolean mayTake(Duration freeFor) {
      return !gives;
    }

    @Override
    public void holds(boolean isOwner) {}

    @Override
    public void fails() {}

    @Override
    public boolean givesBack() {
      return gives;
    }
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      ledger.inNewTransaction(
          Message.to("topic", "type").key("k" + i).payload(new byte[] {1}).build());
    }
  }

  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      relay.step();
      clock.advance(Duration.ofMillis(100));
    }
  }

  private void workOff() {
    while (!queued.isEmpty()) {
      queued.removeFirst().run();
    }
  }

  @Test
  void handOverWaitsOnlyForWhatHasBegun() {
    append(200);
    steps(3);
    int own = queued.size();
    assertThat(own).isBetween(30, 80);
    for (int i = 0; i < 5; i++) {
      queued.removeFirst().run();
    }
    shared.gives = true;
    steps(3);
    assertThat(relay.step().state()).isEqualTo(StepReport.State.STANDBY);
    workOff();
    assertThat(sent).as("what was taken back is not sent").hasSize(5);
    shared.gives = false;
    steps(3);
    workOff();
    steps(3);
    assertThat(sent).hasSize(own).doesNotHaveDuplicates();
  }

  @Test
  void whatWasTakenBackIsSentOnceWhereTheHandOverIsCalledOff() {
    append(200);
    steps(3);
    int own = queued.size();
    Runnable begun = queued.removeFirst();
    Deque<Runnable> old = new ArrayDeque<>(queued);
    shared.gives = true;
    relay.step();
    shared.gives = false;
    begun.run();
    relay.step();
    old.forEach(Runnable::run);
    workOff();
    steps(3);
    workOff();
    steps(3);
    assertThat(sent).hasSize(own).doesNotHaveDuplicates();
  }

  @Test
  void rowOfTheCursorStaysSmallHoweverManyOwnMessagesAreUnsettled() {
    append(400);
    steps(20); // all are with the destination, and none has an outcome
    assertThat(queued.size()).isGreaterThan(50);
    assertThat(ledger.subscription(SUBSCRIPTION).frontier().open().ranges()).isLessThan(3);
    workOff();
    steps(5);
    assertThat(ledger.subscription(SUBSCRIPTION).frontier().open().isEmpty()).isTrue();
  }

  @Test
  void keyIsInTheSameSlotInEveryVersionOfThisProgram() {
    Slots slots = new Slots(64);
    UUID id = UUID.fromString("018f6b1e-7c3a-7d21-9a4b-0123456789ab");
    assertThat(slots.of("order-42", id)).isEqualTo(6);
    assertThat(slots.of("Bestellung-ä-€-😀", id)).isEqualTo(17);
    assertThat(slots.of("", id)).isZero();
    assertThat(slots.of(null, id)).isEqualTo(52);
  }
}
