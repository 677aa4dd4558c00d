// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.servers.CpuTime;

/**
 * How much processor time a process and its children have taken.
 *
 * @param jvmMicros this JVM's
 * @param serverMicros the database server's, with that of its connections which have ended
 */
record ProcessorTime(long jvmMicros, long serverMicros) {

  /** Returns what was taken until now; all zero where nobody tells. */
  static ProcessorTime now(long serverPid) {
    return CpuTime.isTold()
        ? new ProcessorTime(micros(CpuTime.ownSeconds()), micros(CpuTime.seconds(serverPid)))
        : new ProcessorTime(0, 0);
  }

  ProcessorTime since(ProcessorTime earlier) {
    return new ProcessorTime(jvmMicros - earlier.jvmMicros, serverMicros - earlier.serverMicros);
  }

  private static long micros(double seconds) {
    return Math.round(seconds * 1e6);
  }
}
