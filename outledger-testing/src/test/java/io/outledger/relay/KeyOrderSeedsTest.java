// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.relay.options.WindowOptions;
import io.outledger.store.ParkedState;
import io.outledger.testing.ParkedRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * From seeds: two relays, one or two routes, and all that may disturb the order of a key. Messages
 * are rejected, cut the connection or are never answered; topics and destinations go and come back;
 * a transform fails; the database fails; instances crash and hand over, with older and younger
 * declarations; an operator retries. At each send {@link WatchedDestination} checks the order, and
 * in the end every message has arrived or is dead.
 *
 * <p>{@code -Doutledger.seeds=1000} tries more seeds, {@code -Doutledger.seed=7} that one alone.
 */
class KeyOrderSeedsTest {

  private static final int SEEDS = 40;
  private static final int STEPS_WITH_FAULTS = 1_500;
  private static final int STEPS_TO_SETTLE = 6_000;
  private static final int LAST_EVENTS = 20;

  @Test
  void noMessageIsSentBeforeAnEarlierOneOfItsKey() {
    long first = Long.getLong("outledger.seed", 1);
    int count =
        Long.getLong("outledger.seed") == null ? Integer.getInteger("outledger.seeds", SEEDS) : 1;
    for (long seed = first; seed < first + count; seed++) {
      try {
        new Trial(seed).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "again with -Dtest=KeyOrderSeedsTest -Doutledger.seed=" + seed + ": " + e.getMessage(),
            e);
      }
    }
  }

  private static final class Trial {
    private final Random random;
    private final RelayBench bench = new RelayBench();
    private final boolean hasSuspects;
    private final boolean keyStaysBlocked;
    private final boolean hasDeclarations;
    private final FaultyMessages messages;
    private final List<WatchedDestination> destinations = new ArrayList<>();
    private final List<Instance> instances;
    private boolean isTransformBroken;

    Trial(long seed) {
      random = new Random(seed);
      hasSuspects = random.nextBoolean();
      keyStaysBlocked = random.nextInt(3) == 0;
      hasDeclarations = random.nextBoolean();
      messages = new FaultyMessages(random, hasSuspects);
      boolean answersBehind = random.nextInt(3) == 0;
      int routes = 1 + random.nextInt(2);
      for (int route = 0; route < routes; route++) {
        Set<String> topics = route == 0 ? Set.of("t1", "t2", "t3") : Set.of("t1", "t2");
        KeyOrder order = random.nextBoolean() ? KeyOrder.PIPELINED : KeyOrder.ONE_AT_A_TIME;
        WatchedDestination.Traits traits =
            new WatchedDestination.Traits(
                "r" + route, topics, order, answersBehind, keyStaysBlocked);
        destinations.add(new WatchedDestination(traits, messages, bench.events, random));
      }
      bench.options = options();
      instances = List.of(new Instance(true), new Instance(false));
    }

    private RelayOptions options() {
      Backoff probes = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));
      RelayOptions.Builder options =
          RelayBench.options()
              .retry(
                  new RetryPolicy(
                      hasSuspects ? 1000 : 2,
                      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(2)),
                      keyStaysBlocked
                          ? RetryPolicy.DeadLetter.KEY_STAYS_BLOCKED
                          : RetryPolicy.DeadLetter.KEY_GOES_ON))
              .outage(o -> o.withProbes(probes))
              .breaker(
                  new BreakerPolicy(
                      1 + random.nextInt(4), Duration.ofSeconds(random.nextInt(30)), probes, 20))
              .transforms(Transforms.NONE.withMap(this::transformed));
      if (random.nextBoolean()) {
        options.window(w -> new WindowOptions(8 + random.nextInt(30), w.bytes()));
      }
      return options.build();
    }

    private Message transformed(Message message) {
      if (isTransformBroken && message.topic().equals("t2")) {
        throw new IllegalStateException("planted");
      }
      return message;
    }

    void run() {
      if (hasDeclarations) {
        instances.get(0).relay.declare();
      }
      instances.forEach(instance -> bench.steps(instance.relay, 2));
      for (int step = 0; step < STEPS_WITH_FAULTS; step++) {
        disturbMessages();
        disturbInstances();
        stepWithFaults();
        checkOrder();
      }
      endFaults();
      for (int step = 0; step < STEPS_TO_SETTLE && !isSettled(); step++) {
        settle(step);
        checkOrder();
      }
      check();
    }

    private boolean isOneIn(int count) {
      return random.nextInt(count) == 0;
    }

    private void disturbMessages() {
      if (isOneIn(6)) {
        messages.appendTo(bench.ledger);
      }
      if (isOneIn(80)) {
        messages.changeTopic();
      }
      if (isOneIn(150)) {
        destinations.get(random.nextInt(destinations.size())).change();
      }
      if (isOneIn(100)) {
        isTransformBroken = !isTransformBroken && hasSuspects; // else the healthy would die of it
      }
    }

    private void disturbInstances() {
      if (isOneIn(200)) {
        instances.get(random.nextInt(2)).leave();
      }
      for (Instance instance : instances) {
        if (instance.isHandedOver && isOneIn(20)) {
          instance.rejoin();
        }
      }
      if (isOneIn(250)) {
        failDatabase();
      }
      List<ParkedRow> parked = isOneIn(60) ? bench.parked() : List.of();
      if (!parked.isEmpty()) {
        retryByOperator(parked.get(random.nextInt(parked.size())));
      }
    }

    private void failDatabase() {
      if (random.nextBoolean()) {
        bench.ledger.faults().failNext(1);
      } else {
        bench.ledger.faults().loseReplies(1);
      }
    }

    private void retryByOperator(ParkedRow row) {
      if (row.message().state() != ParkedState.HELD) {
        bench
            .ledger
            .subscription(RelayBench.SUBSCRIPTION)
            .requestRetry(row.message().position(), row.message().route());
      }
    }

    private void stepWithFaults() {
      for (Instance instance : instances) {
        if (!isOneIn(5)) {
          instance.relay.step();
        }
      }
      for (WatchedDestination destination : destinations) {
        if (!isOneIn(4)) {
          destination.tick();
        }
      }
      boolean isLong = isOneIn(30);
      bench.clock.advance(Duration.ofMillis(random.nextInt(isLong ? 9_000 : 200)));
    }

    private void endFaults() {
      messages.endFaults();
      isTransformBroken = false;
      destinations.forEach(WatchedDestination::comeBack);
      instances.forEach(Instance::rejoin);
      if (hasDeclarations) {
        instances.get(1).relay.handOver(); // the old one leaves, as at the end of a deployment
      }
    }

    private void settle(int step) {
      if (step % 50 == 0) {
        bench.clock.advance(Duration.ofSeconds(1));
        if (keyStaysBlocked) {
          bench.parked().stream()
              .filter(row -> row.message().state() == ParkedState.DEAD)
              .forEach(this::retryByOperator);
        }
      }
      instances.forEach(instance -> instance.relay.step());
      destinations.forEach(WatchedDestination::tick);
      bench.clock.advance(Duration.ofMillis(50));
    }

    private boolean isSettled() {
      destinations.forEach(WatchedDestination::learnDeaths);
      return destinations.stream().allMatch(WatchedDestination::isSettled);
    }

    private void checkOrder() {
      for (WatchedDestination destination : destinations) {
        assertThat(destination.violation()).as(this::lastEvents).isNull();
      }
    }

    private void check() {
      for (WatchedDestination destination : destinations) {
        destination.learnDeaths();
        assertThat(destination.stuck())
            .as(() -> "neither arrived nor dead, at the end; " + lastEvents())
            .isEmpty();
        assertThat(destination.dead())
            .as("the dead have a fault of their own")
            .allMatch(message -> hasSuspects || messages.hasFaultOfItsOwn(message));
      }
    }

    private String lastEvents() {
      List<RelayEvent> told =
          bench.events.stream().filter(event -> !(event instanceof RelayEvent.Saved)).toList();
      return "last events " + told.subList(Math.max(0, told.size() - LAST_EVENTS), told.size());
    }

    /** One of the two relays, and what becomes of it. */
    private final class Instance {
      private final boolean isYoung;
      private Relay relay;
      private boolean isHandedOver;

      private Instance(boolean isYoung) {
        this.isYoung = isYoung;
        relay = bench.relay(routes());
      }

      /** The old instance knows neither the second route nor one of the first one's topics. */
      private List<Route> routes() {
        boolean isOld = hasDeclarations && !isYoung;
        Accepts ofFirst = isOld ? Accepts.topics("t1", "t3") : Accepts.topics("t1", "t2", "t3");
        Route first = new Route("r0", destinations.get(0), ofFirst);
        return isOld || destinations.size() == 1
            ? List.of(first)
            : List.of(first, new Route("r1", destinations.get(1), Accepts.topics("t1", "t2")));
      }

      /** Hands over, or crashes and is started again. */
      private void leave() {
        if (random.nextBoolean()) {
          relay.handOver();
          isHandedOver = true;
        } else {
          relay.close();
          relay = bench.relay(routes());
          isHandedOver = false;
        }
      }

      private void rejoin() {
        if (isHandedOver) {
          relay.rejoin();
          isHandedOver = false;
        }
      }
    }
  }
}
