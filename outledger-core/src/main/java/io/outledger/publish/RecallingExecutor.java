// SPDX-License-Identifier: Apache-2.0
package io.outledger.publish;

import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * An executor with a queue of its own, from which tasks can be taken that have not begun.
 * Thread-safe.
 */
public interface RecallingExecutor extends Executor {

  /**
   * Takes tasks out of the queue; they never run. One that has begun, or is about to, is not among
   * them.
   *
   * @param which says of a task, as it was handed over, whether it is taken; it must not block
   */
  void recall(Predicate<Runnable> which);
}
