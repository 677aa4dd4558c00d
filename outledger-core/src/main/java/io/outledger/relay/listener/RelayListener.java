// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.listener;

import io.outledger.Require;

/**
 * Receives the events of a relay, for metrics, alerts and tests. The relay's thread calls it, so it
 * must return quickly. The relay logs any exception that it throws and continues.
 */
@FunctionalInterface
public interface RelayListener {

  /** Receives an event. */
  void on(RelayEvent event);

  /** Returns a listener that calls this one and then another. */
  default RelayListener and(RelayListener next) {
    Require.nonNull("next", next);
    return event -> {
      on(event);
      next.on(event);
    };
  }
}
