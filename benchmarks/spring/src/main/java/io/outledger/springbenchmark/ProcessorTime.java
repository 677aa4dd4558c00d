// SPDX-License-Identifier: Apache-2.0
package io.outledger.springbenchmark;

import java.lang.management.ManagementFactory;

/** The processor time of a thread, which depends on the rest of the machine least. */
public final class ProcessorTime {

  private ProcessorTime() {}

  /** Returns that of this thread, in nanoseconds. */
  public static long ofThread() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
