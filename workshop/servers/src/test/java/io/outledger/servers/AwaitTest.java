// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
  @Test
  void returnsWhenTheConditionHolds() {
    AtomicInteger asked = new AtomicInteger();
    Await.until("asked thrice", Duration.ofSeconds(10), () -> asked.incrementAndGet() == 3);
    assertThat(asked).hasValue(3);
  }

  @Test
  void failsWithTheDescriptionWhenTheTimeIsOver() {
    assertThatThrownBy(() -> Await.until("pigs fly", Duration.ofMillis(5), () -> false))
        .isInstanceOf(AssertionError.class)
        .hasMessage("Not within PT0.005S: pigs fly");
  }

  @Test
  void asksAtLeastOnce() {
    Await.until("now", Duration.ZERO, () -> true);
  }

  @Test
  void failureOfTheQuestionEndsTheWaiting() {
    assertThatThrownBy(
            () ->
                Await.until(
                    "an answer",
                    Duration.ofSeconds(10),
                    () -> {
                      throw new IOException("no line");
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("an answer")
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void interruptIsKeptAndEndsTheWaiting() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Await.until("never", Duration.ofSeconds(10), () -> false))
        .isInstanceOf(AssertionError.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
