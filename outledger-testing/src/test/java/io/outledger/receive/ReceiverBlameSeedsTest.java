// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * From seeds: streams of messages of which some are poison, each in a way of its own, a database
 * and what handlers need that go away and come back, and receivers that crash. An outage is never
 * shorter than the wait between two attempts, nor is the time between two: one that came and went
 * with each attempt could not be told from a message.
 */
class ReceiverBlameSeedsTest {

  private static final int SEEDS = 40;
  private static final int STEPS_WITH_FAULTS = 800;
  private static final int STEPS_OF_OTHERS = 120;
  private static final List<Throwable> POISONS =
      List.of(
          new DestinationUnavailableException("the bank is closed", null),
          new StoreException(ErrorCode.STORE_UNAVAILABLE, "the session was lost", null),
          new OutOfMemoryError("planted"),
          new Throwable("checked"),
          new IllegalStateException("no stock"));
  private static final List<Throwable> OUTAGES = POISONS.subList(0, 2);

  @Test
  void everyGoodMessageTakesEffectOnceInOrderAndOnlyPoisonCountsAttempts() {
    long first = Long.getLong("outledger.seed", 1);
    int count = Long.getLong("outledger.seed") == null ? SEEDS : 1;
    for (long seed = first; seed < first + count; seed++) {
      try {
        new Trial(seed).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Doutledger.seed=" + seed, e);
      }
    }
  }

  private static final class Trial {
    private final Random random;
    private final ReceiverBench bench;
    private final Map<String, Throwable> poison = new HashMap<>();
    private final int keys;
    private final int types;
    private final int streams;
    private @Nullable Throwable away;
    private String typeAway = "";
    private int sent;
    private int changesAt = 50;

    Trial(long seed) {
      random = new Random(seed);
      bench = new ReceiverBench(1 + random.nextInt(20));
      keys = 2 + random.nextInt(8);
      types = 1 + random.nextInt(3);
      streams = 1 + random.nextInt(3);
      bench.meets = this::meets;
      if (random.nextBoolean()) {
        bench.options = bench.options.withTransactionPerMessage();
      }
    }

    private @Nullable Throwable meets(Received message) {
      return away != null && (typeAway.isEmpty() || typeAway.equals(message.type()))
          ? away
          : poison.get(message.id());
    }

    /** A key has one stream, as with every broker that keeps an order. */
    private void send(boolean mayBePoison) {
      int key = random.nextInt(keys + 1);
      String id = "m" + sent++;
      if (mayBePoison && random.nextInt(30) == 0) {
        poison.put(id, POISONS.get(random.nextInt(POISONS.size())));
      }
      bench.send(
          "stream" + key % streams,
          key == keys ? null : "key" + key,
          "type" + random.nextInt(types),
          id);
    }

    private void change(int step) {
      changesAt = step + 40 + random.nextInt(60);
      boolean wasAway = away != null;
      away = null;
      bench.store.bringBack();
      if (wasAway) {
        return;
      }
      if (random.nextInt(3) == 0) {
        bench.store.takeAway();
      } else {
        away = OUTAGES.get(random.nextInt(OUTAGES.size()));
        typeAway = random.nextBoolean() ? "" : "type" + random.nextInt(types);
      }
    }

    void run() {
      for (int step = 0; step < STEPS_WITH_FAULTS; step++) {
        if (random.nextInt(4) == 0) {
          send(true);
        }
        if (step == changesAt) {
          change(step);
        }
        if (random.nextInt(150) == 0) {
          bench.restart();
        }
        bench.step();
      }
      away = null;
      bench.store.bringBack();
      for (int i = 0; i < STEPS_OF_OTHERS; i++) {
        send(false);
        bench.steps(5);
      }
      assertOnlyPoisonIsKept();
      poison.clear();
      bench.steps(400);
      bench.assertAllHandledOnceInOrder();
    }

    private void assertOnlyPoisonIsKept() {
      Set<String> blamed =
          bench.events(ReceiverEvent.Parked.class).stream()
              .filter(event -> event.attempts() > 0)
              .map(event -> event.message().id().id())
              .collect(Collectors.toSet());
      assertThat(poison.keySet()).containsAll(blamed);
      List<Received> kept = bench.store.parked().stream().map(row -> row.message()).toList();
      assertThat(kept.stream().map(Received::id)).containsAll(poison.keySet());
      List<Object> poisonKeys = new ArrayList<>();
      for (Received each : kept) {
        boolean isPoison = poison.containsKey(each.id());
        assertThat(isPoison || poisonKeys.contains(each.key())).as("%s is kept", each).isTrue();
        if (isPoison && each.key() != null) {
          poisonKeys.add(each.key());
        }
      }
    }
  }
}
