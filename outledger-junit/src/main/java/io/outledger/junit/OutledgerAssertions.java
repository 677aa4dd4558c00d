// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Require;
import io.outledger.event.Events;
import io.outledger.testing.InMemoryOutbox;
import io.outledger.testing.RecordingPublisher;

/**
 * AssertJ assertions on what was appended and published, and on stored payloads.
 *
 * <pre>{@code
 * assertThat(outbox)
 *     .hasAppended(OrderPlaced.class, order -> assertThat(order.cents()).isEqualTo(1990))
 *     .withKey("o-1")
 *     .hasAppended(OrderPaid.class)
 *     .inOrderOfKeys();
 * }</pre>
 */
public final class OutledgerAssertions {

  private OutledgerAssertions() {}

  /** Asserts on what has been appended to an outbox until now. */
  public static OutboxAssert assertThat(InMemoryOutbox outbox) {
    return new OutboxAssert(Require.nonNull("outbox", outbox));
  }

  /**
   * Asserts on what has arrived at a publisher until now.
   *
   * @param publisher the publisher
   * @param events reads the events again
   */
  public static PublisherAssert assertThat(RecordingPublisher publisher, Events events) {
    return new PublisherAssert(
        Require.nonNull("publisher", publisher), Require.nonNull("events", events));
  }

  /**
   * Asserts on payloads that were stored, as today's events read them.
   *
   * @param events the application's, such as {@code outledger.events()}
   */
  public static PayloadsAssert assertThat(Events events) {
    return new PayloadsAssert(Require.nonNull("events", events));
  }
}
