// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

/** Where a client reports what became of the messages it was handed. Thread-safe. */
@FunctionalInterface
public interface Outcomes {

  /**
   * Reports the outcome of the message at a position.
   *
   * @param position the position that the message was handed over with
   * @param outcome what became of it
   */
  void report(long position, Outcome outcome);
}
