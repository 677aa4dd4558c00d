// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings("UnnecessaryLambda") // a hook is known by its identity
class AfterCommitTest {

  private final List<String> done = new ArrayList<>();
  private final AfterCommit after = new AfterCommit();
  private final Runnable first = () -> done.add("first");
  private final Runnable second = () -> done.add("second");

  static List<Throwable> failures() {
    return List.of(
        new IllegalStateException("planted"),
        new Exception("planted"),
        new AssertionError("planted"),
        new StackOverflowError("planted"),
        new NoClassDefFoundError("planted"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void hookThatFailsEndsNoOtherWhateverItThrows(Throwable failure) {
    after.add(first);
    after.add(() -> AfterCommitTest.<RuntimeException>sneak(failure));
    after.add(second);
    after.run();
    assertThat(done).containsExactly("first", "second");
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  void hookRunsOncePerTransactionHoweverOftenItIsAdded() {
    after.add(first);
    after.add(second);
    after.add(first);
    after.run();
    after.run();
    assertThat(done).containsExactly("first", "second");
    after.add(first);
    after.run();
    assertThat(done).containsExactly("first", "second", "first");
  }

  @Test
  void hookThatAHookAddsRunsWithTheNextCommit() {
    after.add(() -> after.add(second));
    after.run();
    assertThat(done).isEmpty();
    after.run();
    assertThat(done).containsExactly("second");
  }

  @Test
  void rolledBackTransactionRunsNothingAndTheNextOneOnlyItsOwn() {
    after.add(first);
    after.forget();
    after.run();
    after.add(second);
    after.run();
    assertThat(done).containsExactly("second");
  }
}
