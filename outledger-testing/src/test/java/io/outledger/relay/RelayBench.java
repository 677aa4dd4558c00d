// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.context.ReadAhead;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.ParkedState;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.ParkedRow;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A ledger, a destination and a clock on one bench, with as many relays as a test wants. */
public final class RelayBench {

  public static final String SUBSCRIPTION = "test";
  public static final Duration LEASE = Duration.ofSeconds(10);

  private static final PollRequest NOTHING = new PollRequest(Long.MAX_VALUE, 1, 1, Positions.NONE);

  public final SettableClock clock = new SettableClock();
  public final InMemoryLedger ledger = new InMemoryLedger(clock);
  public final RecordingPublisher publisher;
  public final List<RelayEvent> events = new ArrayList<>();
  public RelayOptions options = options().build();
  public ReadAhead readAhead = ReadAhead.AT_ONCE;
  public RandomGenerator random = new Random(1);

  /**
   * Whether a poll's snapshot comes from a look of its own, so that it is not exact. What happens
   * before the poll then happens after the look.
   */
  public boolean looksBeforePolls;

  /** What happens before the next call of a method of a relay's store, once. */
  public final Map<String, Runnable> before = new HashMap<>();

  /**
   * The positions of messages that an operator has erased in the ledger, as pages tell from now on.
   */
  public final Set<Long> erased = new HashSet<>();

  /** How long a save takes for each change of a parked row. */
  public Duration eachChangeTakes = Duration.ZERO;

  /** How often each method of a relay's store was called. */
  public final Map<String, Integer> calls = new HashMap<>();

  public RelayBench() {
    this(KeyOrder.PIPELINED);
  }

  public RelayBench(KeyOrder keyOrder) {
    publisher = new RecordingPublisher(keyOrder, Runnable::run);
  }

  /** Begins options under which each step saves what it has settled. */
  public static RelayOptions.Builder options() {
    return RelayOptions.builder().saveWait(Duration.ZERO);
  }

  public Relay relay() {
    return relay(List.of(Route.only(publisher)));
  }

  public Relay relay(List<Route> routes) {
    return new Relay(
        counted(ledger.relayStore(SUBSCRIPTION, Start.EARLIEST)),
        routes,
        options,
        events::add,
        new Relay.Surroundings(clock, random, readAhead));
  }

  private RelayStore counted(RelayStore store) {
    Class<?>[] type = {RelayStore.class};
    return (RelayStore)
        Proxy.newProxyInstance(
            RelayBench.class.getClassLoader(),
            type,
            (proxy, method, arguments) -> {
              calls.merge(method.getName(), 1, Integer::sum);
              boolean looks = looksBeforePolls && method.getName().equals("poll");
              Snapshot look = looks ? store.poll(NOTHING).snapshot() : null;
              Runnable happening = before.remove(method.getName());
              if (happening != null) {
                happening.run();
              }
              try {
                if (method.getName().equals("save")) {
                  clock.advance(
                      eachChangeTakes.multipliedBy(((Save) arguments[0]).changes().size()));
                }
                Object reply = method.invoke(store, arguments);
                return reply instanceof Page page ? page(page, look) : reply;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Page page(Page page, @Nullable Snapshot look) {
    Snapshot snapshot = look == null ? page.snapshot() : inexact(look);
    return new Page(
        page.messages().stream().map(this::message).toList(),
        page.readTo(),
        page.withheld(),
        page.more(),
        snapshot,
        page.newest(),
        page.declared(),
        page.paused(),
        page.server());
  }

  private static Snapshot inexact(Snapshot look) {
    return new Snapshot(look.edge(), look.running(), false);
  }

  private LedgerMessage message(LedgerMessage read) {
    return erased.contains(read.position())
        ? new LedgerMessage(read.position(), read.message(), null, true)
        : read;
  }

  /** Has the relay itself meet an error when it parks the next message. */
  public void failWhenItParks() {
    publisher.rejectNext(1, new Outcome.Rejected("no", Outcome.Rejected.Kind.DEFINITE));
    RandomGenerator incarnations = random;
    random =
        new RandomGenerator() {
          private int drawn;

          @Override
          public long nextLong() {
            if (++drawn == 3) { // the first two are the incarnation's
              throw new LinkageError("planted");
            }
            return incarnations.nextLong();
          }
        };
  }

  public int calls(String method) {
    return calls.getOrDefault(method, 0);
  }

  /** Makes a message whose payload tells its key and number. */
  public static Message message(String key, int number) {
    return message(key, number, "orders");
  }

  public static Message message(String key, int number, String topic) {
    return Message.to(topic, "test.event")
        .id(new UUID(key.hashCode(), number))
        .key(key)
        .payload((key + number).getBytes(StandardCharsets.UTF_8))
        .build();
  }

  public void append(String key, int from, int to) {
    for (int number = from; number <= to; number++) {
      ledger.inNewTransaction(message(key, number));
    }
  }

  /** Runs this number of steps of a relay, and moves the clock a little between them. */
  public void steps(Relay relay, int count) {
    for (int i = 0; i < count; i++) {
      relay.step();
      clock.advance(Duration.ofMillis(20));
    }
  }

  public List<String> published() {
    return publisher.messages().stream()
        .map(message -> new String(message.payload(), StandardCharsets.UTF_8))
        .toList();
  }

  public List<String> published(String key) {
    return published().stream().filter(payload -> payload.startsWith(key)).toList();
  }

  public List<ParkedRow> parked() {
    return ledger.subscription(SUBSCRIPTION).parked();
  }

  public long parked(ParkedState state) {
    return parked().stream().filter(row -> row.message().state() == state).count();
  }

  <E extends RelayEvent> List<E> events(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
