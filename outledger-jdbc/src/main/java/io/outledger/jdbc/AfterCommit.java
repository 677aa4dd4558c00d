// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Require;
import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.event.Level;

/**
 * What one transaction is to do once it has committed: for implementations of {@link Transactions}.
 * The transaction stands whatever an action throws, so that is logged and the next action runs. For
 * one thread.
 */
public final class AfterCommit {

  private static final QuietLog LOG =
      new QuietLog(AfterCommit.class, "after commit", TimeSource.system());

  private final Set<Runnable> actions = new LinkedHashSet<>();

  /** Creates it without an action. */
  public AfterCommit() {}

  /**
   * Adds an action. The same one is run once, however often it is added.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if it is null
   */
  public void add(Runnable action) {
    actions.add(Require.nonNull("action", action));
  }

  /** Forgets all actions: the transaction was rolled back. */
  public void forget() {
    actions.clear();
  }

  /** Runs the actions in the order in which they were added, and forgets them. Throws nothing. */
  public void run() {
    List<Runnable> now = List.copyOf(actions);
    actions.clear();
    for (Runnable action : now) {
      try {
        action.run();
      } catch (Throwable e) {
        LOG.fails(
            Level.ERROR,
            "hook",
            () -> "a hook failed; the transaction is committed and the next hook runs",
            e);
      }
    }
  }
}
