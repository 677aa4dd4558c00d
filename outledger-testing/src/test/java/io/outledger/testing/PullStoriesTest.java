// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.relay.Pull;
import io.outledger.relay.Pulled;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What pulls hand out through whole stories, each drawn from a seed. */
class PullStoriesTest {

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
    private final PulledLedger test = new PulledLedger();
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
      transaction.append(PulledLedger.message(key, numbers.getOrDefault(key, 0)));
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
