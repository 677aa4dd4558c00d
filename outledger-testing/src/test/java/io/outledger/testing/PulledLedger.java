// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.relay.Pull;
import io.outledger.relay.Pulled;
import io.outledger.relay.Relay;
import io.outledger.relay.Slots;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A ledger in memory, the pulls of its subscription, and what has arrived of it. */
class PulledLedger {

  static final Duration LEASE = Duration.ofSeconds(10);

  final SettableClock clock = new SettableClock();
  final InMemoryLedger ledger = new InMemoryLedger(clock);
  Slots slots = new Slots(1);
  int openRangesMax = 1_000;
  KeptFrontiers journal = new KeptFrontiers(slots);

  Pull pull(int... mine) {
    Map<Integer, RelayStore> stores = new TreeMap<>();
    for (int slot : mine) {
      stores.put(slot, store(slot));
    }
    return new Pull(
        new Pull.Parts(slots, stores, journal),
        RelayOptions.builder()
            .lease(LEASE)
            .polling(p -> p.withPageMessagesMax(7))
            .holes(h -> h.withOpenRangesMax(openRangesMax))
            .build(),
        event -> {},
        new Relay.Surroundings(clock, new Random(1)));
  }

  /** Returns a slot's store, each of whose answers {@link #answered} sees. */
  private RelayStore store(int slot) {
    RelayStore store = ledger.relayStore("s" + slot, Start.EARLIEST);
    return (RelayStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RelayStore.class},
            (proxy, method, arguments) -> {
              try {
                return answered(slot, method.getName(), method.invoke(store, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Returns what a slot's store answers in place of its own answer, null where it has none. */
  @Nullable Object answered(int slot, String method, @Nullable Object own) {
    return own;
  }

  void slots(int count) {
    slots = new Slots(count);
    journal = new KeptFrontiers(slots);
  }

  /** Another engine of the same subscription, which keeps its own frontiers. */
  KeptFrontiers journal(KeptFrontiers other) {
    KeptFrontiers before = journal;
    journal = other;
    return before;
  }

  void append(String key, int number) {
    ledger.inNewTransaction(message(key, number));
  }

  static Message message(String key, int number) {
    return Message.to("t", "t").key(key).payload((key + number).getBytes(UTF_8)).build();
  }

  Pulled step(Pull pull) {
    Pulled pulled = pull.next();
    journal.commit(pulled);
    pull.committed();
    clock.advance(Duration.ofMillis(100));
    return pulled;
  }

  List<String> arrived() {
    return journal.arrived().stream()
        .map(each -> new String(each.message().payload(), UTF_8))
        .toList();
  }

  void passLeases() {
    clock.advance(LEASE);
    clock.advance(LEASE);
  }
}
