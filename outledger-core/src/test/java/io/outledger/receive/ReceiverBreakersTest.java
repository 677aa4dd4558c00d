// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.frontier.Seeds;
import io.outledger.inbox.InboxId;
import io.outledger.relay.context.SetTime;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When the breaker of a topic's type opens and closes, over sequences of outcomes. */
class ReceiverBreakersTest {

  private static final int SEEDS = Seeds.count(300);
  private static final int FAILURES = 3;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<String> TYPES = List.of("placed", "paid");

  /** A key is as good as another, and messages without one are each on their own. */
  private static final String[] KEYS = {null, null, "a", "b"};

  private int openedByKeyless;
  private int openedAgain;

  @Test
  void opensWhereSoManyKeysOrKeylessMessagesHaveFailedSinceTheLastSuccess() {
    Seeds.each(SEEDS, this::opensAsOftenAsCounted);
    assertThat(openedByKeyless).isGreaterThan(SEEDS / 10);
    assertThat(openedAgain).isGreaterThan(SEEDS / 10);
  }

  private void opensAsOftenAsCounted(long seed) {
    List<ReceiverEvent> events = new ArrayList<>();
    ReceiverBreakers breakers = breakers(events);
    Map<String, Set<String>> failed = new HashMap<>();
    int opened = 0;
    int closed = 0;
    Random random = new Random(seed);
    for (int i = 0; i < 40; i++) {
      String type = TYPES.get(random.nextInt(TYPES.size()));
      String id = "m" + random.nextInt(9);
      ParkedReceived message = message(type, id, KEYS[random.nextInt(KEYS.length)]);
      Set<String> ofType = failed.computeIfAbsent(type, any -> new HashSet<>());
      boolean wasOpen = ofType.size() >= FAILURES;
      if (random.nextInt(8) == 0) {
        breakers.succeeded(message);
        ofType.clear();
        closed += wasOpen ? 1 : 0;
      } else {
        boolean kept = breakers.failed(message, "fails on purpose");
        if (!wasOpen) {
          ofType.add(message.key() == null ? "id " + id : "key " + message.key());
        }
        assertThat(kept).isEqualTo(ofType.size() >= FAILURES);
        opened += !wasOpen && kept ? 1 : 0;
        openedByKeyless += !wasOpen && isKeylessAlone(ofType) ? 1 : 0;
      }
      assertThat(breakers.isClosed(message)).isEqualTo(ofType.size() < FAILURES);
    }
    openedAgain += opened > TYPES.size() ? 1 : 0;
    assertThat(of(events, ReceiverEvent.BreakerOpened.class)).hasSize(opened);
    assertThat(of(events, ReceiverEvent.BreakerClosed.class)).hasSize(closed);
  }

  /** Else a breaker that is gone would be shown as open for ever. */
  @Test
  void anOpenBreakerThatIsForgottenForOthersIsTold() {
    List<ReceiverEvent> events = new ArrayList<>();
    ReceiverBreakers breakers = breakers(events);
    for (String key : List.of("a", "b", "c")) {
      breakers.failed(message("placed", key, key), "no table");
    }
    for (int other = 0; other < 2_000; other++) {
      breakers.failed(message("made up " + other, "m", null), "fails on purpose");
    }
    assertThat(events)
        .containsExactly(
            new ReceiverEvent.BreakerOpened("orders", "placed", "no table"),
            new ReceiverEvent.BreakerForgotten("orders", "placed"));
    assertThat(breakers.isClosed(message("placed", "m", null))).isTrue();
  }

  private static boolean isKeylessAlone(Set<String> failed) {
    return failed.size() == FAILURES && failed.stream().allMatch(who -> who.startsWith("id "));
  }

  private static Stream<ReceiverEvent> of(
      List<ReceiverEvent> events, Class<? extends ReceiverEvent> kind) {
    return events.stream().filter(kind::isInstance);
  }

  private static ReceiverBreakers breakers(List<ReceiverEvent> events) {
    BreakerPolicy policy = new BreakerPolicy(FAILURES, HOUR, new Backoff(HOUR, HOUR), 1);
    return new ReceiverBreakers(
        new ReceiverContext(
            "queue",
            ReceiverOptions.DEFAULT.withBreaker(policy),
            events::add,
            new SetTime(),
            new SplittableRandom(1)));
  }

  private static ParkedReceived message(String type, String id, @Nullable String key) {
    return new ParkedReceived(0, new InboxId("/shop", id), key, "", "orders", type, 0);
  }
}
