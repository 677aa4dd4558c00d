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

  /**
   * Returns what receives the events of one partition of a divided subscription; by default this
   * listener, which then hears all partitions of the process, on a thread for each, and cannot tell
   * them apart. Called once for each partition, before its relay runs.
   *
   * @param partition its number, from 1
   */
  default RelayListener ofPartition(int partition) {
    return this;
  }

  /** Returns a listener that calls this one and then another, also for each partition. */
  default RelayListener and(RelayListener next) {
    return new Both(this, Require.nonNull("next", next));
  }
}
