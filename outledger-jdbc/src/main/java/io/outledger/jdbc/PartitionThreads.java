// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.publish.RecallingExecutor;
import java.util.function.Predicate;

/** A partition's part of a handler's threads, which the partitions of a process share. */
record PartitionThreads(SharedThreads shared, int partition) implements RecallingExecutor {

  @Override
  public void execute(Runnable task) {
    shared.execute(partition, task);
  }

  /** What is with the shared threads already, as many as run at a time, stays there. */
  @Override
  public void recall(Predicate<Runnable> which) {
    shared.recall(partition, which);
  }
}
