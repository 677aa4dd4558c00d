// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import java.time.Duration;

/**
 * How the processes that run a divided subscription share its partitions. Only fairness depends on
 * it, which may delay but never prevent that a partition is owned: that it has one owner is the
 * lease's matter. Called by the thread of a partition's relay; it must neither block nor throw.
 */
public interface Sharing {

  /** Nothing is shared: whoever can take the lease does. */
  Sharing NONE =
      new Sharing() {
        @Override
        public boolean mayTake(Duration freeFor) {
          return true;
        }

        @Override
        public void holds(boolean isOwner) {}

        @Override
        public void fails() {}

        @Override
        public boolean givesBack() {
          return false;
        }
      };

  /**
   * Returns whether this process may take the partition's lease, which is free.
   *
   * @param freeFor for how long this process has seen it free
   */
  boolean mayTake(Duration freeFor);

  /**
   * Takes note, after each step that did not fail, whether this process has the lease. One that was
   * taken without being asked for is one that the owner before had handed over for what it lacks.
   */
  void holds(boolean isOwner);

  /** Takes note that this process does not have the lease, and could not take it now. */
  void fails();

  /** Returns whether this process has more than its share, and is to hand this partition over. */
  boolean givesBack();
}
