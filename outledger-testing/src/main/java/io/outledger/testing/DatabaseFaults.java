// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.store.ServerIdentity;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Deliberate faults of an in-memory ledger's database. Faults meet the calls of relay stores;
 * writers' transactions continue. Thread-safe.
 */
public final class DatabaseFaults {

  private boolean down;
  private int callsToFail;
  private int repliesToLose;
  private @Nullable ErrorCode brokenCondition;
  private int starts = 1;
  private int history = 1;

  DatabaseFaults() {}

  /** Makes every call fail, without an effect, until {@link #comeBack()}. */
  public synchronized void goDown() {
    down = true;
  }

  /** Ends {@link #goDown()}. */
  public synchronized void comeBack() {
    down = false;
  }

  /** Makes the next calls fail without an effect, as when a connection breaks before the commit. */
  public synchronized void failNext(int calls) {
    callsToFail = calls;
  }

  /**
   * Lets the next calls take effect and then fail, as when a connection breaks after the commit.
   */
  public synchronized void loseReplies(int calls) {
    repliesToLose = calls;
  }

  /**
   * Breaks a condition that the proofs of dead holes rest on, until {@link
   * #restorePreconditions()}.
   *
   * @param code with which a take-over or a check of the preconditions then fails, such as {@link
   *     ErrorCode#LEDGER_ALTERED}
   */
  public synchronized void breakCondition(ErrorCode code) {
    brokenCondition = code;
  }

  /** Ends {@link #breakCondition}. */
  public synchronized void restorePreconditions() {
    brokenCondition = null;
  }

  /** Lets calls be answered by a server that has started again, unseen by who asks. */
  public synchronized void restartServer() {
    starts++;
  }

  /** Lets calls be answered by a promoted standby, unseen by who asks. */
  public synchronized void failOver() {
    starts++;
    history++;
  }

  synchronized ServerIdentity server() {
    return new ServerIdentity("start " + starts + ", history " + history, "in memory");
  }

  synchronized void checkPreconditions() {
    if (brokenCondition != null) {
      throw new ConfigurationException(brokenCondition, "broken on purpose by the test");
    }
  }

  <T> T meet(Supplier<T> call) {
    beforeEffect();
    T reply = call.get();
    afterEffect();
    return reply;
  }

  private synchronized void beforeEffect() {
    if (down) {
      throw failure("the database is down");
    }
    if (callsToFail > 0) {
      callsToFail--;
      throw failure("the connection broke before the call took effect");
    }
  }

  private synchronized void afterEffect() {
    if (repliesToLose > 0) {
      repliesToLose--;
      throw failure("the connection broke after the call took effect");
    }
  }

  private static StoreException failure(String text) {
    return new StoreException(ErrorCode.STORE_UNAVAILABLE, text + ", as the test requested");
  }
}
