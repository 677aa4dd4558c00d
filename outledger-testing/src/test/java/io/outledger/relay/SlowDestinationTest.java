// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Route;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A destination that works and is slow: it has a queue that is longer than the delivery time, and
 * serves it in order. No message is to blame.
 */
class SlowDestinationTest {

  private static final Duration ANSWER_TIME = Duration.ofMillis(4_375);
  private static final int MESSAGES = 2_000;

  private final RelayBench bench = new RelayBench();
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private final Set<Long> served = new HashSet<>();
  private @Nullable Client current;

  private final class Slow implements Publisher {

    @Override
    public KeyOrder keyOrder() {
      return KeyOrder.ONE_AT_A_TIME;
    }

    @Override
    public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
      Client opened = new Client(outcomes);
      current = opened;
      return opened;
    }
  }

  private final class Client implements PublisherClient {
    private final Outcomes outcomes;
    private final Map<Long, Long> sentAt = new LinkedHashMap<>();

    Client(Outcomes outcomes) {
      this.outcomes = outcomes;
    }

    @Override
    public void publish(long position, int attempt, Message message) {
      sentAt.put(position, bench.clock.nanoTime());
      queue.add(
          () -> {
            served.add(position);
            if (sentAt.remove(position) != null) {
              outcomes.report(position, Outcome.PUBLISHED);
            }
          });
    }

    private void look() {
      long now = bench.clock.nanoTime();
      for (Map.Entry<Long, Long> sent : List.copyOf(sentAt.entrySet())) {
        if (now - sent.getValue() >= ANSWER_TIME.toNanos()) {
          sentAt.remove(sent.getKey());
          outcomes.report(sent.getKey(), Outcome.unanswered("no answer in time"));
        }
      }
    }

    @Override
    public void flush() {}

    @Override
    public Set<Long> recall() {
      return Set.of();
    }

    @Override
    public void close() {
      sentAt.keySet().forEach(at -> outcomes.report(at, Outcome.unavailable("closed")));
      sentAt.clear();
    }
  }

  private void tick(Relay relay, int perTick) {
    bench.steps(relay, 1);
    for (int i = 0; i < perTick && !queue.isEmpty(); i++) {
      queue.remove().run();
    }
    if (current != null) {
      current.look();
    }
    bench.clock.advance(Duration.ofMillis(100));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 10, 30})
  void noMessageOfItIsToBlame(int perTick) {
    for (int i = 0; i < MESSAGES; i++) {
      bench.append("k" + i, 1, 1);
    }
    Relay relay = bench.relay(List.of(Route.only(new Slow())));
    for (int i = 0; i < 20_000 && served.size() < MESSAGES; i++) {
      tick(relay, perTick);
    }
    assertThat(served).hasSize(MESSAGES);
    assertThat(bench.events(RelayEvent.Parked.class)).noneMatch(event -> event.attempts() > 0);
    assertThat(bench.events(RelayEvent.Died.class)).isEmpty();
    assertThat(bench.events(RelayEvent.BreakerOpened.class)).isEmpty();
  }
}
