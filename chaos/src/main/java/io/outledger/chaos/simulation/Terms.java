// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.publish.KeyOrder;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.RetryPolicy.DeadLetter;
import io.outledger.relay.options.Transforms;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What one subscription of a run is like: what it wants, and how its relays work. */
final class Terms {

  private static final long HOLE_RANGES = 0x6177_616b_6552_616eL;
  private static final long ROUTES = 0x6c61_6e65_734cL;
  private static final long OUTAGE = 0x6f75_7461_6765_486fL;
  private static final List<Duration> OUTAGE_PATIENCE =
      List.of(Duration.ZERO, Duration.ZERO, Duration.ofMillis(500), Duration.ofSeconds(30));

  private static final long SAVE_WAIT = 0x7361_7665_5761_6974L;

  final String name;

  /** One without a name, or two that are to be retried apart. */
  final List<String> routes;

  final Set<String> topics;
  final int relays;
  final int attemptsMax;
  final KeyOrder keyOrder;
  final DeadLetter deadLetter;
  final Duration lease;
  final RelayOptions options;

  Terms(String name, boolean isLong, Choices choices) {
    this.name = name;
    Choices ofRoutes = choices.overflow(ROUTES ^ name.hashCode());
    routes = ofRoutes.chance(0.2) ? List.of("mail", "stock") : List.of("");
    topics = topics(choices);
    relays = choices.between(1, 3);
    attemptsMax = choices.between(2, 5);
    keyOrder = choices.chance(0.7) ? KeyOrder.PIPELINED : KeyOrder.ONE_AT_A_TIME;
    deadLetter = choices.chance(0.7) ? DeadLetter.KEY_GOES_ON : DeadLetter.KEY_STAYS_BLOCKED;
    Duration drawn = isLong ? choices.millis(20_000, 60_000) : choices.millis(500, 3000);
    lease = isLong || routes.size() == 1 ? drawn : ofRoutes.millis(4_000, 10_000);
    options = options(choices);
  }

  /** Never noise: so each subscription has something to pass over. */
  private static Set<String> topics(Choices choices) {
    Set<String> wanted = new HashSet<>(Writers.TOPICS);
    wanted.add(ConsumerProcess.REPLIES);
    if (choices.chance(0.3)) {
      wanted.remove(choices.pick(List.copyOf(Writers.TOPICS)));
    }
    return wanted;
  }

  private RelayOptions options(Choices choices) {
    RelayOptions.Builder builder = drawn(choices);
    if (Plan.hasBacklogs(choices)) {
      builder
          .polling(p -> p.withPageMessagesMax(100).withPageBytesMax(10_000))
          .window(w -> w.withMessages(200))
          .holes(h -> h.withOpenRangesMax(10_000));
    }
    return builder.build();
  }

  private RelayOptions.Builder drawn(Choices choices) {
    return RelayOptions.builder()
        .lease(lease)
        .polling(p -> p.withPageMessagesMax(choices.pick(List.of(1, 3, 10, 100))))
        .polling(p -> p.withPageBytesMax(choices.pick(List.of(1L, 50L, 10_000L))))
        .window(w -> w.withMessages(choices.pick(List.of(1, 5, 30, 200))))
        .holes(h -> h.withOpenRangesMax(choices.pick(List.of(2, 10, 200, 10_000))))
        .holes(h -> h.withRangesInRowMax(choices.overflow(HOLE_RANGES).pick(List.of(0, 1, 3, 200))))
        .saveWait(choices.overflow(SAVE_WAIT).pick(List.of(Duration.ZERO, Duration.ofMillis(50))))
        .retry(new RetryPolicy(attemptsMax, backoff(choices), deadLetter))
        .outage(d -> d.withProbes(backoff(choices)))
        .outage(d -> d.withHoldsUpOthersMax(choices.overflow(OUTAGE).pick(OUTAGE_PATIENCE)))
        .breaker(
            new BreakerPolicy(
                choices.between(2, 8), choices.millis(50, 2000), backoff(choices), 100))
        .transforms(Transforms.NONE.withFilter(Accepts.topics(topics.toArray(String[]::new))));
  }

  private static Backoff backoff(Choices choices) {
    Duration first = choices.millis(1, 100);
    return new Backoff(first, first.multipliedBy(choices.between(1, 8)));
  }
}
