// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.checker;

/** What can be wrong with a run. */
public enum Verdict {
  /** A committed message neither arrived nor is parked, and its subscription is done with it. */
  LOST,
  /** A message arrived, or is parked, whose transaction rolled back. */
  GHOST,
  /** The first arrivals of a key are not in the order in which the application serialised it. */
  REORDERED,
  /** More repeated arrivals than the crashes account for. */
  DUPLICATE,
  /** An owner changed a row after a successor had. */
  STALE,
  /** A message that arrived has no effect behind the inbox, or more than one. */
  EFFECT,
  /**
   * What an operator asked for has not exactly one row in the audit, or one that came to no end; or
   * the audit has a row that nobody asked for.
   */
  AUDIT,
  /** The faults are over and something still waits. */
  STUCK,
  /** More of a resource is left than there should be. */
  LEAK,
  /** A figure that was reported is not what the tables say. */
  METRIC_LIE,
  /** The destination acknowledged a message that never arrived. Not ours, and kept apart. */
  BROKER_LOST
}
