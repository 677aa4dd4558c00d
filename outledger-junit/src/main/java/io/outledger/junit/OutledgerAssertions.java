// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Given;
import io.outledger.event.Events;
import io.outledger.testing.InMemoryOutbox;
import io.outledger.testing.RecordingPublisher;

/**
 * AssertJ assertions on what was appended and published.
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
    return new OutboxAssert(Given.check("outbox", outbox));
  }

  /**
   * Asserts on what has arrived at a publisher until now.
   *
   * @param publisher the publisher
   * @param events reads the events again
   */
  public static PublisherAssert assertThat(RecordingPublisher publisher, Events events) {
    return new PublisherAssert(Given.check("publisher", publisher), Given.check("events", events));
  }
}
