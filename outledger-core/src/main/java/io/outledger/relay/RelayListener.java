// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Given;

/**
 * Hears of every transition of a relay, for metrics, alerts and tests. It is called by the relay's
 * thread and must be quick; what it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface RelayListener {

  /** Takes an event. */
  void on(RelayEvent event);

  /** Returns a listener that calls this one and then another. */
  default RelayListener and(RelayListener next) {
    Given.check("listener", next);
    return event -> {
      on(event);
      next.on(event);
    };
  }
}
