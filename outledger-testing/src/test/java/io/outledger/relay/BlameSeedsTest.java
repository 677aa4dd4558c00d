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
import io.outledger.testing.ParkedRow;
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
 * From seeds: messages of which some are poison, each in a way of its own, a topic and a
 * destination that go away and come back. A single outage is never shorter than the wait between
 * two probes, nor is the time between two: one that came and went with each probe could not be told
 * from a message.
 */
class BlameSeedsTest {

  private static final int SEEDS = 40;
  private static final int ATTEMPTS = 2;
  private static final int FAILURES_OF_AN_ATTEMPT = 3;
  private static final String TOPIC_THAT_GOES = "other";
  private static final Duration STEP = Duration.ofMillis(50);
  private static final int STEPS_WITH_FAULTS = 4_000;
  private static final int STEPS = 12_000;
  private static final List<Outcome> POISONS =
      List.of(
          FragileLine.CUT,
          Outcome.unreachable("not sent"),
          Outcome.unanswered("no answer"),
          Outcome.suspect("it failed"),
          Outcome.topicUnavailable("its queue refuses it"));
  private static final List<Outcome> OUTAGES =
      List.of(
          FragileLine.CUT, Outcome.unreachable("nobody there"), Outcome.unanswered("no answer"));

  private static final List<Outcome> TOPIC_OUTAGES =
      List.of(Outcome.topicUnavailable("no such queue"), Outcome.unanswered("no answer"));

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

  /**
   * How often a poison was tried again after others had got through: in these its own fault shows.
   *
   * @param others how many had got through before the last try
   */
  private record Proof(int tries, int others) {
    private Proof then(Proof next) {
      return new Proof(tries + (next.others() > others ? 1 : 0), next.others());
    }
  }

  private static final class Trial {
    private final Random random;
    private final RelayBench bench = new RelayBench();
    private final FragileLine line;
    private final Map<Message, Outcome> poison = new HashMap<>();
    private final List<Message> good = new ArrayList<>();
    private final int keys;
    private final Map<Message, Proof> proofs = new HashMap<>();
    private @Nullable Outcome away;
    private @Nullable Outcome topicAway;
    private int changesAt;
    private int outages;

    Trial(long seed) {
      random = new Random(seed);
      keys = 2 + random.nextInt(8);
      line =
          new FragileLine(
              random.nextBoolean() ? KeyOrder.PIPELINED : KeyOrder.ONE_AT_A_TIME, random);
      line.meets = this::meets;
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

    private @Nullable Outcome meets(Message message) {
      boolean isTopicAway = topicAway != null && message.topic().equals(TOPIC_THAT_GOES);
      Outcome ofAll = away != null ? away : isTopicAway ? topicAway : null;
      Outcome own = poison.get(message);
      if (ofAll == null && own != null) {
        proofs.merge(message, new Proof(0, others(message, own)), Proof::then);
      }
      return ofAll == null ? own : ofAll;
    }

    /** Counts what has got through and would not have, were it not for the message's own fault. */
    private int others(Message message, Outcome own) {
      boolean isLines =
          own instanceof Outcome.Unavailable met
              && met.kind() != Outcome.Unavailable.Kind.UNANSWERED;
      return isLines
          ? line.arrived.size()
          : (int) line.arrived.stream().filter(m -> m.topic().equals(message.topic())).count();
    }

    void run() {
      Relay relay = bench.relay(List.of(Route.only(line)));
      int appended = 0;
      for (int step = 0; step < STEPS && !isSettled(step); step++) {
        boolean settling = step > STEPS_WITH_FAULTS; // others still come, so that there is proof
        if (random.nextInt(settling ? 20 : 10) == 0) {
          append(++appended, settling);
        }
        if (step >= changesAt) {
          changesAt = step + 100 + random.nextInt(300);
          change(settling);
        }
        relay.step();
        bench.clock.advance(STEP);
      }
      check();
    }

    private void change(boolean settling) {
      boolean isThere = away == null && !settling;
      away = isThere && random.nextBoolean() ? anyOf(OUTAGES) : null;
      topicAway = isThere && random.nextBoolean() ? anyOf(TOPIC_OUTAGES) : null;
      outages += (away == null ? 0 : 1) + (topicAway == null ? 0 : 1);
    }

    private Outcome anyOf(List<Outcome> outcomes) {
      return outcomes.get(random.nextInt(outcomes.size()));
    }

    private boolean isSettled(int step) {
      return step > STEPS_WITH_FAULTS
          && bench.parked().stream().filter(Trial::isDead).count() == poison.size()
          && line.arrived.stream().distinct().count() == good.size();
    }

    private static boolean isDead(ParkedRow row) {
      return row.message().state() == ParkedState.DEAD;
    }

    private void append(int number, boolean isGood) {
      int keyNumber = random.nextInt(6) == 0 ? -1 : random.nextInt(keys);
      String key = keyNumber < 0 ? null : "k" + keyNumber;
      // What is on its way to another topic cannot be called back: a pipeline has a key in one.
      boolean isOneTopic = line.keyOrder() == KeyOrder.PIPELINED && key != null;
      boolean goes = isOneTopic ? keyNumber % 3 == 0 : random.nextInt(3) == 0;
      Message.Builder next =
          Message.to(goes ? TOPIC_THAT_GOES : "orders", "test.event")
              .id(new UUID(1, number))
              .payload(String.valueOf(number).getBytes(UTF_8));
      Message message = (key == null ? next : next.key(key)).build();
      if (!isGood && random.nextInt(8) == 0) {
        poison.put(message, anyOf(POISONS));
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
          .allMatch(Trial::isDead)
          .allMatch(row -> row.message().attempts() == ATTEMPTS);
      assertThat(bench.events(RelayEvent.Parked.class))
          .extracting(parked -> parked.message().id())
          .isSubsetOf(poison.keySet().stream().map(Message::id).toList());
      assertThat(proofs.values())
          .allMatch(proof -> proof.tries() <= ATTEMPTS * (FAILURES_OF_AN_ATTEMPT + 2) + outages);
    }

    private static List<Integer> numbers(Stream<Message> messages) {
      return messages.map(m -> Integer.valueOf(new String(m.payload(), UTF_8))).toList();
    }
  }
}
