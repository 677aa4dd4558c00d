// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.store.LedgerMessage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BreakersTest {

  private static final long LATER = Duration.ofHours(1).toNanos();

  private final Backoff probes = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));
  private final Breakers breakers =
      new Breakers(new BreakerPolicy(1, Duration.ofHours(9), probes, 100), new SplittableRandom(1));

  @Test
  void keysMessagesAreKeptByOneBreakerWhateverTheirTypes() {
    Delivery first = delivery(1, "k", "a");
    Delivery second = delivery(2, "k", "b");
    assertThat(breakers.rejected(first, 0)).isTrue();
    assertThat(breakers.rejected(second, 0)).isTrue();

    assertThat(breakers.release(LATER)).containsExactly(first);
    assertThat(breakers.release(LATER)).isEmpty();
  }

  @Test
  void probeThatIsNeverSentIsNotWaitedFor() {
    Delivery first = delivery(1, "k", "a");
    Delivery second = delivery(2, "l", "a");
    breakers.rejected(first, 0);
    breakers.keepBack(second);
    assertThat(breakers.release(LATER)).containsExactly(first);

    breakers.probeEnded(first);

    assertThat(breakers.release(2 * LATER)).containsExactly(second);
  }

  @Test
  void messageIsNotSetAsideWhileAnEarlierOneOfItsKeyIsBeingTried() {
    Delivery first = delivery(1, "k", "a");
    Delivery second = delivery(2, "k", "a");
    Delivery other = delivery(3, "l", "a");
    breakers.rejected(first, 0);
    breakers.keepBack(second);
    breakers.keepBack(other);
    assertThat(breakers.release(LATER)).containsExactly(first);

    assertThat(breakers.overflow(0, Set.of("k"))).isEqualTo(List.of(other));
    assertThat(breakers.keepsKeyOf(second)).isTrue();
  }

  @Test
  void stateIsThatOfTheTopicAndType() {
    Delivery first = delivery(1, "k", "a");
    assertThat(breakers.stateOf(first)).isEqualTo(Breaker.State.CLOSED);
    breakers.rejected(first, 0);
    assertThat(breakers.stateOf(first)).isEqualTo(Breaker.State.OPEN);
    assertThat(breakers.stateOf(delivery(2, "l", "b"))).isEqualTo(Breaker.State.CLOSED);
  }

  @Test
  void limitIsOfEachBreaker() {
    breakers.rejected(delivery(1, "k", "a"), 0);
    breakers.keepBack(delivery(2, "l", "a"));
    breakers.rejected(delivery(3, "m", "b"), 0);
    assertThat(breakers.isOver(2)).isFalse();
    assertThat(breakers.isOver(1)).isTrue();
  }

  @Test
  void probesOutcomeIsToldToItsOwnBreaker() {
    Delivery first = delivery(1, "k", "a");
    breakers.rejected(first, 0);
    assertThat(breakers.probeEnded(first)).isNull();
    breakers.release(LATER);
    assertThat(breakers.probeEnded(first)).isNotNull();
    assertThat(breakers.probeEnded(first)).isNull();
  }

  @Test
  void probesThatFailForLongEnoughMakeItWary() {
    Delivery first = delivery(1, "k", "a");
    breakers.rejected(first, 0);
    breakers.release(LATER);
    breakers.rejected(first, 10 * LATER);
    assertThat(breakers.stateOf(first)).isEqualTo(Breaker.State.WARY);
    assertThat(breakers.release(11 * LATER)).containsExactly(first);
    assertThat(breakers.rejected(first, 11 * LATER)).isFalse();
    assertThat(breakers.succeeded(first)).isEmpty();
    assertThat(breakers.stateOf(first)).isEqualTo(Breaker.State.CLOSED);
  }

  private static Delivery delivery(long position, String key, String type) {
    Message message = Message.to("orders", type).key(key).build();
    return new Delivery(new LedgerMessage(position, message), message, null, null);
  }
}
