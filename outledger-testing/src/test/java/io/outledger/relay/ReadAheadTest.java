// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import io.outledger.relay.context.ReadAhead;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.store.Page;
import io.outledger.store.ServerIdentity;
import io.outledger.testing.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ReadAheadTest {

  private static final int PAGE = 4;
  private static final Page EMPTY =
      new Page(
          List.of(),
          0,
          Positions.NONE,
          false,
          new Snapshot(1, Set.of()),
          1,
          0,
          0,
          new ServerIdentity("now", "ledger"));

  private final RelayBench bench = new RelayBench();
  private final List<Integer> publishedAtReads = new ArrayList<>();

  ReadAheadTest() {
    bench.options =
        RelayBench.options()
            .polling(p -> p.withPageMessagesMax(PAGE))
            .window(w -> w.withMessages(2 * PAGE))
            .build();
    bench.readAhead =
        read -> {
          publishedAtReads.add(bench.published().size());
          return ReadAhead.AT_ONCE.begin(read);
        };
  }

  @Test
  void nextPageIsReadBeforeTheOneInHandIsHandedOn() {
    bench.append("k", 1, 3 * PAGE);
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 5);
    }
    assertThat(bench.published()).hasSize(3 * PAGE).doesNotHaveDuplicates();
    assertThat(publishedAtReads).startsWith(0, PAGE);
  }

  @Test
  void nextPageIsReadAheadBesideAHoleToo() {
    InMemoryTransaction late = bench.ledger.begin();
    late.append(RelayBench.message("late", 1));
    bench.append("k", 1, 3 * PAGE);
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 5);
      assertThat(publishedAtReads).startsWith(0, PAGE);
      late.commit();
      bench.steps(relay, 2);
    }
    assertThat(bench.published()).hasSize(3 * PAGE + 1);
  }

  /** A hole that does not sleep is looked for by the page ahead, which would prove it dead. */
  @Test
  void whatWasReadBeforeALookAtWhoWritesIsReadAgain() {
    bench.looksBeforePolls = true;
    InMemoryTransaction late = bench.ledger.begin();
    late.append(RelayBench.message("late", 1));
    bench.append("k", 1, 8 * PAGE);
    bench.readAhead =
        read -> {
          Supplier<Page> page = ReadAhead.AT_ONCE.begin(read);
          publishedAtReads.add(bench.published().size());
          if (publishedAtReads.size() == 3) {
            late.commit();
          }
          bench.clock.advance(Duration.ofSeconds(2)); // so that a look is due in each step
          return page;
        };
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 24);
    }
    assertThat(bench.published()).hasSize(8 * PAGE + 1).contains("late1");
  }

  /** Of two holes of one key the later was asked for, since a third writer had ended. */
  @Test
  void holeThatIsFilledWhileAnotherOneIsAskedForIsAskedForAsWell() {
    InMemoryTransaction first = bench.ledger.begin();
    first.append(RelayBench.message("a", 1));
    bench.append("x", 1, 1);
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 4);
      InMemoryTransaction third = bench.ledger.begin();
      third.append(RelayBench.message("y", 1));
      InMemoryTransaction second = bench.ledger.begin();
      second.append(RelayBench.message("a", 2));
      bench.append("x", 2, 2);
      bench.steps(relay, 4);
      third.rollback();
      Runnable commits =
          () -> {
            first.commit();
            second.commit();
          };
      bench.before.put("poll", () -> bench.before.put("poll", commits));
      bench.steps(relay, 6);
    }
    assertThat(bench.published("a")).containsExactly("a1", "a2");
  }

  @Test
  void asMuchOfAPageIsHandedOnAsTheWindowHasRoomFor() {
    int window = PAGE + PAGE / 2;
    bench.options =
        RelayBench.options()
            .polling(p -> p.withPageMessagesMax(PAGE))
            .window(w -> w.withMessages(window))
            .build();
    bench.append("k", 1, 5 * PAGE);
    bench.publisher.holdOutcomes();
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 6);
      assertThat(bench.published()).hasSize(window);
      bench.publisher.releaseOutcomes();
      bench.steps(relay, 12);
    }
    assertThat(bench.published()).hasSize(5 * PAGE).doesNotHaveDuplicates();
  }

  @Test
  void drainReadsToTheEndThoughTwoPagesDoNotFitTheWindow() throws InterruptedException {
    int window = PAGE + PAGE / 2;
    bench.options =
        RelayBench.options()
            .polling(p -> p.withPageMessagesMax(PAGE))
            .window(w -> w.withMessages(window))
            .build();
    bench.append("k", 1, 5 * PAGE);
    try (Relay relay = bench.relay()) {
      relay.drain(Duration.ofMinutes(1));
    }
    assertThat(bench.published()).hasSize(5 * PAGE).doesNotHaveDuplicates();
  }

  @Test
  void pageThatAnotherServerAnswersIsNotHandedOn() {
    bench.append("k", 1, 3 * PAGE);
    before(bench.ledger.faults()::restartServer);
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 1);
      assertThat(relay.step().state()).isEqualTo(StepReport.State.STANDBY);
      assertThat(bench.published()).isEmpty(); // what is declared was still to be asked for
      assertThat(bench.events(RelayEvent.LeaseLost.class))
          .extracting(RelayEvent.LeaseLost::reason)
          .containsExactly("a different server answered");
      bench.steps(relay, 5);
    }
    assertThat(bench.published()).hasSize(3 * PAGE).doesNotHaveDuplicates();
  }

  @Test
  void whatFailsWhileItIsReadAheadIsReadAgain() {
    bench.append("k", 1, 3 * PAGE);
    before(() -> bench.ledger.faults().failNext(1));
    try (Relay relay = bench.relay()) {
      bench.steps(relay, 8);
    }
    assertThat(bench.events(RelayEvent.StoreFailed.class)).hasSize(1);
    assertThat(bench.published()).hasSize(3 * PAGE).doesNotHaveDuplicates();
  }

  @Test
  void whatIsReadAheadIsReadToItsEndBeforeTheStoreIsClosed() {
    bench.append("k", 1, 3 * PAGE);
    List<String> story = new ArrayList<>();
    bench.readAhead =
        read ->
            () -> {
              story.add("read");
              return read.get();
            };
    bench.failWhenItParks();
    Relay relay = bench.relay();
    relay.step();
    assertThatThrownBy(relay::step).hasMessage("planted");
    assertThat(story).containsExactly("read");
  }

  @Test
  void threadOfItsOwnReadsAndIsInNobodysWay() {
    AtomicBoolean isDaemon = new AtomicBoolean();
    Page page =
        ReadAhead.onThread("reader")
            .begin(
                () -> {
                  isDaemon.set(Thread.currentThread().isDaemon());
                  return EMPTY;
                })
            .get();
    assertThat(page).isSameAs(EMPTY);
    assertThat(isDaemon).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void threadOfItsOwnReadsAndThrowsToWhoeverWaits() {
    ReadAhead reader = ReadAhead.onThread("reader");
    AtomicReference<String> thread = new AtomicReference<>();
    Supplier<Page> reading =
        reader.begin(
            () -> {
              thread.set(Thread.currentThread().getName());
              throw new IllegalArgumentException("nothing to read");
            });
    assertThatThrownBy(reading::get).hasMessage("nothing to read");
    assertThat(thread).hasValue("reader");
  }

  @Test
  void interruptDoesNotEndTheWaitingAndStays() {
    Thread waiting = Thread.currentThread();
    waiting.interrupt();
    Supplier<Page> reading =
        ReadAhead.onThread("reader")
            .begin(
                () -> {
                  while (waiting.isInterrupted()) {
                    Thread.onSpinWait(); // until whoever waits was interrupted in it
                  }
                  return EMPTY;
                });
    assertThat(reading.get()).isSameAs(EMPTY);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Does something before the first read ahead. */
  private void before(Runnable happening) {
    ReadAhead usual = bench.readAhead;
    bench.readAhead =
        read -> {
          if (publishedAtReads.isEmpty()) {
            happening.run();
          }
          return usual.begin(read);
        };
  }
}
