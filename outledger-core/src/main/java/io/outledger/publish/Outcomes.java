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

  /**
   * Says that the work on the message at a position begins now, where it has waited for a thread
   * since it was handed over. A handler says so, and its relay times its work from here to its
   * outcome; nothing else depends on it. Unless overridden, nobody wants to know.
   *
   * @param position the position that the message was handed over with
   */
  default void begins(long position) {}
}
