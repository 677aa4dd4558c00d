// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What the work on a message has done once its transaction has committed, whoever runs that
 * transaction: what is counted in it would else be counted again with each attempt. Thread-safe.
 */
final class CommittedWork {

  private static final ThreadLocal<@Nullable AfterCommit> RUNNING = new ThreadLocal<>();

  private CommittedWork() {}

  /**
   * Runs a transaction on this thread; what its work has {@linkplain #then added} is done if it
   * returns, and forgotten if it throws. One within another has its own.
   *
   * @throws Exception what the transaction throws
   */
  static <R extends @Nullable Object> R of(Callable<R> transaction) throws Exception {
    AfterCommit outer = RUNNING.get();
    AfterCommit own = new AfterCommit();
    RUNNING.set(own);
    R result;
    try {
      result = transaction.call();
    } finally {
      if (outer == null) {
        RUNNING.remove();
      } else {
        RUNNING.set(outer);
      }
    }
    own.run();
    return result;
  }

  /**
   * Has something done after the commit; at once, where nobody has said what the transaction is.
   */
  static void then(Runnable action) {
    AfterCommit running = RUNNING.get();
    if (running == null) {
      action.run();
    } else {
      running.add(action);
    }
  }
}
