// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Waits for a condition by asking again and again: the only place in tests that sleeps.
 *
 * <p>Stateless and safe for use by many threads.
 */
public final class Await {
  private static final long PAUSE_MS_MAX = 50;

  private Await() {}

  /** A question that is asked until its answer is true; whatever it throws ends the waiting. */
  @FunctionalInterface
  public interface Condition {
    /**
     * Says whether the waiting is over.
     *
     * @return true once it is
     * @throws Exception when the question itself fails, which fails the waiting
     */
    boolean holds() throws Exception;
  }

  /**
   * Returns once the condition holds. It is asked at once, then after pauses that grow from 1 ms to
   * 50 ms.
   *
   * @param description what is waited for, for the message of the failure
   * @param timeout how long to wait at most
   * @param condition the question
   * @throws AssertionError when the time is over, or when the question throws a checked exception
   *     (its cause); unchecked exceptions and errors of the question pass through
   */
  public static void until(String description, Duration timeout, Condition condition) {
    until(() -> description, timeout, condition);
  }

  /**
   * The same with a description that is made only on failure, such as the last lines of a log.
   *
   * @param description what is waited for, asked for when the waiting has failed
   * @param timeout how long to wait at most
   * @param condition the question
   * @throws AssertionError as above
   */
  public static void until(Supplier<String> description, Duration timeout, Condition condition) {
    long deadline = System.nanoTime() + timeout.toNanos();
    long pauseMs = 1;
    while (!ask(description, condition)) {
      if (System.nanoTime() - deadline >= 0) {
        throw new AssertionError("Not within " + timeout + ": " + description.get());
      }
      pause(pauseMs, description);
      pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2);
    }
  }

  /**
   * Returns when this much time has passed.
   *
   * @param time how much
   */
  public static void pass(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    until("time passes", time.plusSeconds(5), () -> System.nanoTime() - until >= 0);
  }

  private static boolean ask(Supplier<String> description, Condition condition) {
    try {
      return condition.holds();
    } catch (RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted while waiting: " + description.get(), e);
    } catch (Exception e) {
      throw new AssertionError("Failed while waiting: " + description.get(), e);
    }
  }

  private static void pause(long millis, Supplier<String> description) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted while waiting: " + description.get(), e);
    }
  }
}
