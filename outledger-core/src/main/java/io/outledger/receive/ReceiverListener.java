// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Require;

/**
 * Receives the events of a receiver, for metrics, alerts and tests. The receiver's two threads call
 * it, so it must be thread-safe and return quickly. The receiver logs any exception that it throws
 * and continues.
 */
@FunctionalInterface
public interface ReceiverListener {

  /** A listener that does nothing. */
  ReceiverListener NONE = event -> {};

  /** Receives an event. */
  void on(ReceiverEvent event);

  /** Returns a listener that calls this one and then another. */
  default ReceiverListener and(ReceiverListener next) {
    Require.nonNull("next", next);
    return event -> {
      on(event);
      next.on(event);
    };
  }
}
