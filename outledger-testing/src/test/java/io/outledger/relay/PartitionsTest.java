// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.relay.options.Route;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Instances that share partitions, in an order that a seed decides: they come, are killed, freeze,
 * stop, and are given another share.
 */
final class PartitionsTest {

  private static final int PARTITIONS = 5;
  private static final int INSTANCES = 3;
  private static final int KEYS = 12;
  private static final int STEPS = 4_000;

  private final SettableClock clock = new SettableClock();
  private final InMemoryLedger ledger = new InMemoryLedger(clock);
  private final RecordingPublisher publisher =
      new RecordingPublisher(KeyOrder.ONE_AT_A_TIME, Runnable::run);
  private final Slots slots = new Slots(PARTITIONS);
  private final Map<String, Integer> sent = new HashMap<>();

  /** One instance's relay of each partition, and whether it is to give its partitions back. */
  private final class Instance {

    private final Random random;
    private final boolean[] gives = new boolean[PARTITIONS];
    private final @Nullable Relay[] relays = new Relay[PARTITIONS];
    private int frozen;

    Instance(long seed) {
      random = new Random(seed);
    }

    void step(int slot) {
      if (frozen > 0) {
        frozen--;
        return;
      }
      Relay relay = relays[slot];
      if (relay == null) {
        relay = start(slot);
        relays[slot] = relay;
      }
      relay.abortIfLate();
      relay.step();
    }

    private Relay start(int slot) {
      return new Relay(
          new Partition(
              ledger.relayStore("shared/" + (slot + 1), Start.EARLIEST),
              slots,
              slot,
              sharing(slot)),
          List.of(Route.only(publisher)),
          RelayBench.options().build(),
          event -> {},
          new Relay.Surroundings(clock, random));
    }

    private Sharing sharing(int slot) {
      return new Sharing() {
        @Override
        public boolean mayTake(Duration freeFor) {
          return !gives[slot];
        }

        @Override
        public void holds(boolean isOwner) {}

        @Override
        public void fails() {}

        @Override
        public boolean givesBack() {
          return gives[slot];
        }
      };
    }

    void die() {
      for (int slot = 0; slot < PARTITIONS; slot++) {
        Relay relay = relays[slot];
        if (relay != null) {
          relay.close();
          relays[slot] = null;
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void nothingIsLostAndNoKeyIsOutOfOrder(long seed) {
    Random random = new Random(seed);
    List<Instance> instances = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      instances.add(new Instance(random.nextLong()));
    }
    for (int step = 0; step < STEPS; step++) {
      Instance one = instances.get(random.nextInt(INSTANCES));
      int slot = random.nextInt(PARTITIONS);
      switch (random.nextInt(40)) {
        case 0 -> one.die();
        case 1 -> one.frozen = random.nextInt(60);
        case 2, 3 -> one.gives[slot] = !one.gives[slot];
        case 4, 5, 6, 7 -> append(random);
        case 8, 9 -> clock.advance(Duration.ofSeconds(random.nextInt(4)));
        default -> one.step(slot);
      }
    }
    finish(instances);
    assertThat(last()).as("seed %s", seed).isEqualTo(sent);
  }

  private void append(Random random) {
    String key = "k" + random.nextInt(KEYS);
    int number = sent.merge(key, 1, Integer::sum);
    ledger.inNewTransaction(
        Message.to("topic", "type")
            .key(key)
            .payload(String.valueOf(number).getBytes(StandardCharsets.UTF_8))
            .build());
  }

  private void finish(List<Instance> instances) {
    for (Instance each : instances) {
      each.frozen = 0;
      for (int slot = 0; slot < PARTITIONS; slot++) {
        each.gives[slot] = false;
      }
    }
    for (int round = 0; round < 60; round++) {
      clock.advance(Duration.ofSeconds(1));
      for (Instance each : instances) {
        for (int slot = 0; slot < PARTITIONS; slot++) {
          each.step(slot);
        }
      }
    }
    instances.forEach(Instance::die);
  }

  /** Returns the last message of each key. One may come again, but none before the one before. */
  private Map<String, Integer> last() {
    Map<String, Integer> last = new HashMap<>();
    for (Message message : publisher.messages()) {
      int number = Integer.parseInt(new String(message.payload(), StandardCharsets.UTF_8));
      String key = String.valueOf(message.key());
      int before = last.getOrDefault(key, 0);
      assertThat(number).as("message of %s", key).isBetween(1, before + 1);
      last.put(key, Math.max(before, number));
    }
    return last;
  }
}
