// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

/**
 * Ends the thread on which a process crashes, on purpose. An error and no exception, so that the
 * application's own error handling, which a real crash would not run either, seldom catches it.
 * Where it is caught all the same, nothing that the process does afterwards leaves it.
 */
public final class CrashError extends Error {

  private static final long serialVersionUID = 1L;

  CrashError(String step) {
    super("the crash test stopped this process " + step);
  }
}
