// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

/**
 * How the processes that run a divided subscription share its partitions. Only fairness depends on
 * it: that a partition has one owner is the lease's matter. Called by the thread of a partition's
 * relay, at each step; it must neither block nor throw.
 */
public interface Sharing {

  /** Nothing is shared: whoever can take the lease does. */
  Sharing NONE =
      new Sharing() {
        @Override
        public boolean mayTake() {
          return true;
        }

        @Override
        public void holds(boolean isOwner) {}

        @Override
        public boolean givesBack() {
          return false;
        }
      };

  /** Returns whether this process may take the partition's lease, which is free. */
  boolean mayTake();

  /** Takes note, after each step, whether this process has the lease. */
  void holds(boolean isOwner);

  /** Returns whether this process has more than its share, and is to hand this partition over. */
  boolean givesBack();
}
