// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.Route;
import io.outledger.store.ParkedState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * From seeds: messages of which some are poison, each in a way of its own, and a destination that
 * goes away and comes back. A single outage is never shorter than the wait between two probes, nor
 * is the time between two: one that came and went with each probe could not be told from a message.
 */
class BlameSeedsTest {

  private static final int SEEDS = 20;
  private static final int ATTEMPTS = 2;
  private static final Duration STEP = Duration.ofMillis(50);
  private static final int STEPS = 8_000;
  private static final List<Outcome> POISONS =
      List.of(
          FragileLine.CUT,
          Outcome.unreachable("not sent"),
          Outcome.unanswered("no answer"),
          Outcome.suspect("it failed"));
  private static final List<Outcome> OUTAGES =
      List.of(
          FragileLine.CUT, Outcome.unreachable("nobody there"), Outcome.unanswered("no answer"));

  @Test
  void everyGoodMessageGoesOutInOrderAndOnlyPoisonIsParked() {
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
    private final RelayBench bench = new RelayBench();
    private final FragileLine line;
    private final Map<Message, Outcome> poison = new HashMap<>();
    private final List<Message> good = new ArrayList<>();
    private final int keys;
    private @Nullable Outcome away;
    private int changesAt;
    private int outages;

    Trial(long seed) {
      random = new Random(seed);
      keys = 2 + random.nextInt(8);
      line =
          new FragileLine(
              random.nextBoolean() ? KeyOrder.PIPELINED : KeyOrder.ONE_AT_A_TIME, random);
      line.meets = message -> away != null ? away : poison.get(message);
      Duration wait = Duration.ofSeconds(1);
      bench.options =
          RelayBench.options()
              .retry(
                  RetryPolicy.DEFAULT
                      .withAttemptsMax(ATTEMPTS)
                      .withBackoff(new Backoff(wait, wait)))
              .outage(o -> o.withProbes(new Backoff(Duration.ofMillis(100), wait)))
              .build();
    }

    void run() {
      Relay relay = bench.relay(List.of(Route.only(line)));
      int appended = 0;
      for (int step = 0; step < STEPS; step++) {
        boolean settling = step > STEPS / 2; // others still come, so that there is proof
        if (random.nextInt(settling ? 40 : 10) == 0) {
          append(++appended, settling);
        }
        if (step >= changesAt) {
          changesAt = step + 100 + random.nextInt(300);
          boolean goes = away == null && !settling && random.nextBoolean();
          away = goes ? OUTAGES.get(random.nextInt(OUTAGES.size())) : null;
          outages += goes ? 1 : 0;
        }
        relay.step();
        bench.clock.advance(STEP);
      }
      check();
    }

    private void append(int number, boolean isGood) {
      String key = random.nextInt(6) == 0 ? null : "k" + random.nextInt(keys);
      Message.Builder next =
          Message.to(random.nextInt(3) == 0 ? "other" : "orders", "test.event")
              .id(new UUID(1, number))
              .payload(String.valueOf(number).getBytes(UTF_8));
      Message message = (key == null ? next : next.key(key)).build();
      if (!isGood && random.nextInt(8) == 0) {
        poison.put(message, POISONS.get(random.nextInt(POISONS.size())));
      } else {
        good.add(message);
      }
      bench.ledger.inNewTransaction(message);
    }

    private void check() {
      List<Integer> out = numbers(line.arrived.stream().distinct());
      assertThat(out).containsExactlyInAnyOrderElementsOf(numbers(good.stream()));
      for (int key = 0; key < keys; key++) {
        String name = "k" + key;
        assertThat(numbers(line.arrived.stream().distinct().filter(m -> name.equals(m.key()))))
            .isSorted();
      }
      List<Integer> bad = numbers(poison.keySet().stream());
      assertThat(numbers(bench.parked().stream().map(row -> row.message().message())))
          .containsExactlyInAnyOrderElementsOf(bad);
      assertThat(bench.parked())
          .allMatch(row -> row.message().state() == ParkedState.DEAD)
          .allMatch(row -> row.message().attempts() == ATTEMPTS);
      assertThat(bench.events(RelayEvent.Parked.class))
          .extracting(parked -> parked.message().id())
          .isSubsetOf(poison.keySet().stream().map(Message::id).toList());
      assertThat(poison.keySet())
          .allMatch(each -> line.tries.getOrDefault(each, 0) < 200 + 40 * outages);
    }

    private static List<Integer> numbers(Stream<Message> messages) {
      return messages.map(m -> Integer.valueOf(new String(m.payload(), UTF_8))).toList();
    }
  }
}
