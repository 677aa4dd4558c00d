// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.Message;
import io.outledger.relay.Pull;
import io.outledger.relay.Pulled;
import io.outledger.relay.Relay;
import io.outledger.relay.Slots;
import io.outledger.relay.StepReport;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a pull hands out, over a ledger in memory. */
class PullTest {

  private static final Duration LEASE = Duration.ofSeconds(10);

  private final SettableClock clock = new SettableClock();
  private final InMemoryLedger ledger = new InMemoryLedger(clock);
  private Slots slots = new Slots(1);
  private KeptFrontiers journal = new KeptFrontiers(slots);

  private Pull pull(int... mine) {
    Map<Integer, RelayStore> stores = new TreeMap<>();
    for (int slot : mine) {
      stores.put(slot, ledger.relayStore("s" + slot, Start.EARLIEST));
    }
    return new Pull(
        new Pull.Parts(slots, stores, journal),
        RelayOptions.builder().lease(LEASE).polling(p -> p.withPageMessagesMax(7)).build(),
        event -> {},
        new Relay.Surroundings(clock, new Random(1)));
  }

  private void slots(int count) {
    slots = new Slots(count);
    journal = new KeptFrontiers(slots);
  }

  private void append(String key, int number) {
    ledger.inNewTransaction(message(key, number));
  }

  private static Message message(String key, int number) {
    return Message.to("t", "t").key(key).payload((key + number).getBytes(UTF_8)).build();
  }

  private Pulled step(Pull pull) {
    Pulled pulled = pull.next();
    journal.commit(pulled);
    pull.committed();
    clock.advance(Duration.ofMillis(100));
    return pulled;
  }

  private List<String> arrived() {
    return journal.arrived().stream()
        .map(each -> new String(each.message().payload(), UTF_8))
        .toList();
  }

  private void passLeases() {
    clock.advance(LEASE);
    clock.advance(LEASE);
  }

  @Test
  void whatWasNotCommittedIsHandedOutAgainAndNothingElse() {
    append("a", 0);
    Pull first = pull(0);
    step(first);
    append("a", 1);
    assertThat(first.next().messages()).hasSize(1); // which the engine never commits
    first.close();
    Pull second = pull(0);
    step(second);
    passLeases();
    step(second);
    assertThat(arrived()).containsExactly("a0", "a1");
  }

  @Test
  void aMessageThatCommitsLateIsHandedOutOnceAlsoAfterACrash() {
    InMemoryTransaction late = ledger.begin();
    late.append(message("late", 0));
    append("a", 0);
    Pull first = pull(0);
    step(first);
    assertThat(arrived()).containsExactly("a0");
    first.close();
    late.commit();
    Pull second = pull(0);
    step(second);
    passLeases();
    step(second);
    step(second);
    assertThat(arrived()).containsExactly("a0", "late0");
  }

  @Test
  void holesThatNobodyCanFillAreDropped() {
    InMemoryTransaction lost = ledger.begin();
    lost.append(message("lost", 0));
    append("a", 0);
    Pull pull = pull(0);
    step(pull);
    lost.rollback();
    Pulled last = step(pull);
    for (int i = 0; i < 30; i++) {
      last = step(pull);
    }
    assertThat(last.after().values())
        .allSatisfy(entry -> assertThat(entry.frontier().open().isEmpty()).isTrue());
    assertThat(ledger.subscription("s0").frontier().open().isEmpty()).isTrue();
  }

  @Test
  void eachSlotIsHandedOutByItsOwner() {
    slots(4);
    for (int i = 0; i < 40; i++) {
      append("k" + i, 0);
    }
    Pull even = pull(0, 2);
    Pull odd = pull(1, 3);
    for (int i = 0; i < 10; i++) {
      step(even);
      step(odd);
    }
    assertThat(arrived()).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void aMoveWinsOverTheJournalAndAnyCrashAfterIt() {
    append("a", 0);
    append("a", 1);
    Pull first = pull(0);
    step(first);
    ledger.subscription("s0").move(Start.at(2));
    first.next(); // which sees that it was moved
    Pulled again = first.next();
    assertThat(again.messages()).hasSize(1);
    first.close(); // before the journal has it
    Pull second = pull(0);
    step(second);
    passLeases();
    step(second);
    step(second);
    assertThat(arrived()).containsExactly("a0", "a1", "a1");
  }

  @Test
  void withoutAJournalTheCursorIsTheStart() {
    append("a", 0);
    Pull first = pull(0);
    step(first);
    clock.advance(Duration.ofSeconds(2));
    step(first);
    first.release();
    first.close();
    journal.forget();
    append("a", 1);
    step(pull(0));
    assertThat(arrived()).containsExactly("a0", "a1");
  }

  @Test
  void anotherNumberOfSlotsIsRefused() {
    Pull first = pull(0);
    step(first);
    first.release();
    slots(2);
    Pull second = pull(0);
    assertThatThrownBy(second::next)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("has 1 slots, and 2 are configured");
  }

  @Test
  void aLedgerThatWasRestoredBelowTheJournalIsRefusedUntilItIsMoved() {
    append("a", 0);
    Pull first = pull(0);
    step(first);
    first.release();
    LedgerBackup backup = ledger.backup();
    append("a", 1);
    Pull second = pull(0);
    step(second);
    second.release();
    ledger.restore(backup);
    append("b", 0);
    Pull third = pull(0);
    assertThatThrownBy(third::next)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-007")
        .hasMessageContaining("restored to an earlier state");
    ledger.subscription("s0").move(Start.at(2));
    step(third);
    step(third);
    assertThat(arrived()).containsExactly("a0", "a1", "b0");
  }

  @Test
  void aSubscriptionThatIsGoneWhereTheJournalHasItIsRefused() {
    LedgerBackup backup = ledger.backup();
    append("a", 0);
    Pull first = pull(0);
    step(first);
    first.release();
    ledger.restore(backup);
    append("b", 0);
    Pull second = pull(0);
    assertThatThrownBy(second::next)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-007")
        .hasMessageContaining("was not in the database");
  }

  @Test
  void aDeadLetterIsSentOnceOnRequest() {
    append("a", 0);
    Pull first = pull(0);
    Pulled pulled = first.next();
    assertThat(first.park(Map.of(0, List.of(dead(pulled.messages().get(0)))))).isTrue();
    first.committed();
    journal.heartbeat(pulled);
    clock.advance(Duration.ofSeconds(3));
    ledger.subscription("s0").requestRetry(1, "");
    step(first);
    assertThat(arrived()).containsExactly("a0");
    first.close(); // before the row was taken away
    assertThat(ledger.subscription("s0").parked()).hasSize(1);
    Pull second = pull(0);
    second.next();
    passLeases();
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofSeconds(2));
      step(second);
    }
    assertThat(arrived()).containsExactly("a0");
    assertThat(ledger.subscription("s0").parked()).isEmpty();
  }

  private static ParkedChange dead(LedgerMessage message) {
    return new ParkedChange.Park(
        new ParkedMessage(
            message.position(), "", message.message(), ParkedState.DEAD, 1, false, null, false),
        "too large",
        null);
  }

  @Test
  void aPauseStopsReadingAndLosesNothing() {
    append("a", 0);
    Pull pull = pull(0);
    step(pull);
    ledger.subscription("s0").pause(PauseScope.subscription(), "me", "test");
    append("a", 1);
    assertThat(step(pull).messages()).isEmpty();
    assertThat(step(pull).messages()).isEmpty();
    ledger.subscription("s0").resume(PauseScope.subscription());
    step(pull);
    step(pull);
    assertThat(arrived()).containsExactly("a0", "a1");
  }

  @Test
  void anotherOneStandsByAsLongAsTheLeaseIsHeld() {
    Pull first = pull(0);
    step(first);
    Pull second = pull(0);
    for (int i = 0; i < 30; i++) {
      assertThat(second.next().state()).isEqualTo(StepReport.State.STANDBY);
      clock.advance(Duration.ofSeconds(2));
      step(first);
    }
  }

  @Test
  void eachMessageArrivesOnceAndInOrderWhateverHappens() {
    for (int seed = 1; seed <= 200; seed++) {
      new Story(seed).run();
    }
  }

  /** Writers, crashes, lost commits and changes of tasks, drawn from a seed. */
  private static final class Story {
    private final int seed;
    private final Random random;
    private final PullTest test = new PullTest();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<InMemoryTransaction> open = new ArrayList<>();
    private final List<String> openKeys = new ArrayList<>();
    private List<Pull> pulls = new ArrayList<>();
    private int committed;

    private Story(int seed) {
      this.seed = seed;
      this.random = new Random(seed);
      test.slots(1 + random.nextInt(4));
    }

    private void run() {
      deal();
      for (int i = 0; i < 120; i++) {
        act();
      }
      while (!open.isEmpty()) {
        end(0);
      }
      for (int i = 0; i < 60; i++) {
        pulls.forEach(test::step);
        test.clock.advance(Duration.ofSeconds(1));
      }
      check();
    }

    private void act() {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> begin();
        case 3, 4 -> {
          if (!open.isEmpty()) {
            end(random.nextInt(open.size()));
          }
        }
        case 5 -> deal();
        case 6 -> {
          any().next(); // the engine crashes before its commit
          deal();
        }
        case 7 -> heartbeat(any());
        default -> test.step(any());
      }
      test.clock.advance(Duration.ofMillis(random.nextInt(3000)));
    }

    private Pull any() {
      return pulls.get(random.nextInt(pulls.size()));
    }

    private void heartbeat(Pull pull) {
      Pulled pulled = pull.next();
      test.journal.commit(pulled);
      test.journal.heartbeat(pulled);
      pull.committed();
    }

    private void begin() {
      String key = "k" + random.nextInt(6);
      if (openKeys.contains(key)) {
        return; // whose row is locked
      }
      InMemoryTransaction transaction = test.ledger.begin();
      transaction.append(message(key, numbers.getOrDefault(key, 0)));
      open.add(transaction);
      openKeys.add(key);
    }

    private void end(int index) {
      InMemoryTransaction transaction = open.remove(index);
      String key = openKeys.remove(index);
      if (random.nextInt(4) == 0) {
        transaction.rollback();
      } else {
        transaction.commit();
        numbers.merge(key, 1, Integer::sum);
        committed++;
      }
    }

    /** All tasks end, half of them cleanly, and others share the slots. */
    private void deal() {
      for (Pull pull : pulls) {
        if (random.nextBoolean()) {
          pull.release();
        }
        pull.close();
      }
      pulls = new ArrayList<>();
      int tasks = 1 + random.nextInt(test.slots.count());
      for (int task = 0; task < tasks; task++) {
        int first = task;
        pulls.add(
            test.pull(
                IntStream.range(0, test.slots.count())
                    .filter(slot -> slot % tasks == first)
                    .toArray()));
      }
    }

    private void check() {
      Map<String, Integer> next = new HashMap<>();
      for (LedgerMessage each : test.journal.arrived()) {
        String text = new String(each.message().payload(), UTF_8);
        String key = String.valueOf(each.message().key());
        assertThat(text)
            .as("seed %s, all: %s", seed, test.arrived())
            .isEqualTo(key + next.getOrDefault(key, 0));
        next.merge(key, 1, Integer::sum);
      }
      assertThat(test.journal.arrived()).as("seed %s", seed).hasSize(committed);
    }
  }
}
