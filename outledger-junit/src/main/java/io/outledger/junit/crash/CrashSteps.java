// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import java.util.ArrayList;
import java.util.List;

/**
 * The steps of one process: counts them while the request runs, and crashes at the one it was told
 * to. Thread-safe.
 */
final class CrashSteps {

  /** A step number that no process reaches. */
  static final int NEVER = 0;

  private static final long STATEMENT_SECONDS_MAX = 10;

  private final int crashAt;
  private final List<String> taken = new ArrayList<>();
  private final List<Cuttable> connections = new ArrayList<>();
  private boolean counting;
  private boolean crashed;

  CrashSteps(int crashAt) {
    this.crashAt = crashAt;
  }

  /** A connection of the process. */
  @FunctionalInterface
  interface Cuttable {

    /**
     * Cuts it, if no statement is running on it, or has ended within some seconds; also where the
     * thread was interrupted before.
     *
     * @return whether it was cut; if not, it is cut when its statement ends
     */
    boolean cut(long waitSeconds);
  }

  synchronized void startCounting() {
    counting = true;
  }

  synchronized void stopCounting() {
    counting = false;
  }

  /** Takes a step, and throws if the process crashed at it or before. */
  void takeOrThrow(String step) {
    if (take(step)) {
      throw new CrashError(step);
    }
  }

  /**
   * Takes a step: if it is the one to crash at, cuts all connections.
   *
   * @return whether the process crashed, at this step or before
   */
  boolean take(String step) {
    List<Cuttable> toCut;
    synchronized (this) {
      if (crashed || !counting) {
        return crashed;
      }
      taken.add(step);
      if (taken.size() != crashAt) {
        return false;
      }
      crashed = true;
      toCut = List.copyOf(connections);
    }
    cut(toCut);
    return true;
  }

  /** Idle ones first: a busy one may wait for a lock that an idle one holds. */
  private static void cut(List<Cuttable> all) {
    List<Cuttable> busy = all.stream().filter(connection -> !connection.cut(0)).toList();
    busy.forEach(connection -> connection.cut(STATEMENT_SECONDS_MAX));
  }

  synchronized boolean hasCrashed() {
    return crashed;
  }

  /** Adds a connection to cut when the process crashes. */
  synchronized void onCrash(Cuttable connection) {
    connections.add(connection);
  }

  synchronized void forget(Cuttable connection) {
    connections.remove(connection);
  }

  synchronized List<String> taken() {
    return List.copyOf(taken);
  }
}
