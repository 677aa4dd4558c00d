// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of a message is what its handling did, whatever a propagator does around it. */
class ContextPropagatorTest {

  private final AtomicInteger handled = new AtomicInteger();

  /** A propagator that captures nothing. */
  @FunctionalInterface
  private interface Restoring extends ContextPropagator {
    @Override
    default Map<String, String> capture() {
      return Map.of();
    }
  }

  @Test
  void theResultIsThatOfTheHandling() throws Exception {
    Restoring plain = (headers, handling) -> handling.run();
    assertThat(plain.call(Map.of(), handled::incrementAndGet)).isOne();
  }

  @Test
  void oneThatDoesNotRunTheHandlingHasFailed() {
    Restoring skips = (headers, handling) -> {};
    assertThatThrownBy(() -> skips.call(Map.of(), handled::incrementAndGet))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has not run the handling");
    assertThat(handled).hasValue(0);
  }

  @Test
  void aSwallowedOrWrappedFailureIsStillThatOfTheHandling() {
    IOException failure = new IOException("the handler's");
    Restoring swallows =
        (headers, handling) -> {
          try {
            handling.run();
          } catch (Exception e) {
            assertThat(e).isSameAs(failure);
          }
        };
    Restoring wraps =
        (headers, handling) -> {
          try {
            handling.run();
          } catch (Exception e) {
            throw new IllegalStateException("wrapped", e);
          }
        };
    for (ContextPropagator each : new ContextPropagator[] {swallows, wraps}) {
      assertThatThrownBy(
              () ->
                  each.call(
                      Map.of(),
                      () -> {
                        throw failure;
                      }))
          .isSameAs(failure);
    }
  }

  @Test
  void whatIsThrownAfterTheHandlingDoesNotUndoIt() throws Exception {
    Restoring late =
        (headers, handling) -> {
          handling.run();
          throw new IllegalStateException("too late");
        };
    assertThat(late.call(Map.of(), handled::incrementAndGet)).isOne();
  }

  @Test
  void theHandlingRunsOnceAndOnItsOwnThread() throws Exception {
    Restoring twice =
        (headers, handling) -> {
          handling.run();
          handling.run();
        };
    assertThat(twice.call(Map.of(), handled::incrementAndGet)).isOne();
    assertThat(handled).hasValue(1);
    Restoring elsewhere =
        (headers, handling) -> {
          Thread other = new Thread(() -> assertThatThrownBy(handling::run).isNotNull());
          other.start();
          other.join();
        };
    assertThatThrownBy(() -> elsewhere.call(Map.of(), handled::incrementAndGet))
        .hasMessageContaining("has not run the handling");
    assertThat(handled).hasValue(1);
  }

  @Test
  void severalNestAndTheFirstNameWins() throws Exception {
    ContextPropagator outer =
        new ContextPropagator() {
          @Override
          public Map<String, String> capture() {
            return Map.of("a", "outer");
          }

          @Override
          public void restore(Map<String, String> headers, Handling handling) throws Exception {
            assertThat(handled.getAndIncrement()).isZero();
            handling.run();
          }
        };
    ContextPropagator inner =
        new ContextPropagator() {
          @Override
          public Map<String, String> capture() {
            return Map.of("a", "inner", "b", "inner");
          }

          @Override
          public void restore(Map<String, String> headers, Handling handling) throws Exception {
            assertThat(handled.getAndIncrement()).isOne();
            handling.run();
          }
        };
    assertThat(outer.and(inner).capture()).isEqualTo(Map.of("a", "outer", "b", "inner"));
    assertThat(outer.and(inner).call(Map.of(), handled::incrementAndGet)).isEqualTo(3);
  }
}
