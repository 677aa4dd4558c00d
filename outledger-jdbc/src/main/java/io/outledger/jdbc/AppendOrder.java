// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers for what is to be appended, in the order in which it came up. An integration that
 * collects from several sources draws a number when something is raised or given to it, and appends
 * in the order of the numbers. They mean nothing outside of this process. Thread-safe.
 */
public final class AppendOrder {

  private static final AtomicLong LAST = new AtomicLong();

  private AppendOrder() {}

  /** Returns a number that is larger than all that were drawn before. */
  public static long next() {
    return LAST.incrementAndGet();
  }
}
