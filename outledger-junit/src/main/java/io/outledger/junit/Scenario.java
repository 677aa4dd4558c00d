// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Require;
import io.outledger.event.Events;
import io.outledger.testing.RecordingPublisher;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * A test's action, and the effect that must follow from it in the background. Nothing here sleeps:
 * {@code until} lets the relays publish and handle everything, moves time on for what is to be
 * tried again, and fails as soon as nothing is left that could still make the condition true.
 *
 * <pre>{@code
 * outledger
 *     .when(() -> orders.place("o-1"))
 *     .untilPublished(OrderPlaced.class, order -> order.orderId().equals("o-1"))
 *     .until("the stock is reserved", () -> stock.isReserved("o-1"));
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class Scenario {

  private final Settling settling;
  private final RecordingPublisher publisher;
  private final Events events;

  Scenario(Settling settling, RecordingPublisher publisher, Events events) {
    this.settling = settling;
    this.publisher = publisher;
    this.events = events;
  }

  /** Something that a test does. */
  @FunctionalInterface
  public interface Action {

    /**
     * Does it.
     *
     * @throws Exception where it failed; the test fails
     */
    void run() throws Exception;
  }

  /**
   * Does something.
   *
   * @throws Exception what it throws
   */
  public Scenario when(Action action) throws Exception {
    Require.nonNull("action", action).run();
    return this;
  }

  /**
   * Lets relays work until a condition is true. Time passes while messages wait to be tried again:
   * those that were rejected, and those whose destination cannot be reached.
   *
   * @param what the condition in words, for the failure's text
   * @param condition looks, and changes nothing
   * @throws AssertionError where it is false and nothing is left to do, or after very many tries
   * @throws Exception what the condition throws
   */
  public Scenario until(String what, Callable<Boolean> condition) throws Exception {
    Require.nonNull("what", what);
    Require.nonNull("condition", condition);
    settling.settle();
    boolean timeHelps = true;
    int roundsMax = settling.roundsMax();
    for (int round = 0; timeHelps && !condition.call() && round < roundsMax; round++) {
      timeHelps = settling.letTimePass();
    }
    if (!condition.call()) {
      String why =
          timeHelps
              ? "after " + roundsMax + " rounds messages are still pending or being tried again"
              : "nothing is left to do";
      throw new AssertionError(
          "Expected that " + what + ", and " + why + ". " + settling.describe());
    }
    return this;
  }

  /**
   * Lets relays work until an event of a class was published.
   *
   * @throws AssertionError where none was and nothing is left to do
   */
  public Scenario untilPublished(Class<?> type) throws Exception {
    return untilPublished(type, event -> true);
  }

  /**
   * Lets relays work until an event of a class was published that meets a condition.
   *
   * @param type a registered class
   * @param condition what the event must be like
   * @throws AssertionError where none was and nothing is left to do
   */
  public <E> Scenario untilPublished(Class<E> type, Predicate<? super E> condition)
      throws Exception {
    Require.nonNull("type", type);
    Require.nonNull("condition", condition);
    return until(
        "a " + type.getSimpleName() + " is published that meets the condition",
        () -> published(type).stream().anyMatch(condition));
  }

  private <E> List<E> published(Class<E> type) {
    return publisher.messages().stream()
        .filter(message -> !events.types().readAs(message.type(), message.version()).isEmpty())
        .map(events::read)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }
}
