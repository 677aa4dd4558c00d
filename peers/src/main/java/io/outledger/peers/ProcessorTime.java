// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * How much processor time a process and its children have taken, as Linux tells it.
 *
 * @param jvmMicros this JVM's
 * @param serverMicros the database server's, with that of its connections which have ended
 */
record ProcessorTime(long jvmMicros, long serverMicros) {

  /** A tick of /proc is a hundredth of a second on every machine that we know. */
  private static final long MICROS_PER_TICK = 10_000;

  private static final int PARENT = 1;
  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final int CHILDREN_USER = 13;
  private static final int CHILDREN_SYSTEM = 14;

  /** Returns what was taken until now; all zero where there is no /proc. */
  static ProcessorTime now(long serverPid) {
    return new ProcessorTime(jvm(), server(serverPid));
  }

  ProcessorTime since(ProcessorTime earlier) {
    return new ProcessorTime(jvmMicros - earlier.jvmMicros, serverMicros - earlier.serverMicros);
  }

  private static long jvm() {
    long[] stat = stat(Path.of("/proc/self/stat"));
    return (stat[USER] + stat[SYSTEM]) * MICROS_PER_TICK;
  }

  private static long server(long pid) {
    long[] postmaster = stat(Path.of("/proc/" + pid + "/stat"));
    long ticks =
        postmaster[USER]
            + postmaster[SYSTEM]
            + postmaster[CHILDREN_USER]
            + postmaster[CHILDREN_SYSTEM];
    return (ticks + children(pid)) * MICROS_PER_TICK;
  }

  private static long children(long pid) {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(path -> path.getFileName().toString().matches("\\d+"))
          .map(path -> stat(path.resolve("stat")))
          .filter(stat -> stat[PARENT] == pid)
          .mapToLong(stat -> stat[USER] + stat[SYSTEM])
          .sum();
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * Returns the numbers behind the name, which may hold anything; zeros for a process that is gone.
   */
  private static long[] stat(Path file) {
    long[] numbers = new long[CHILDREN_SYSTEM + 1];
    try {
      String text = Files.readString(file);
      String[] words = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
      for (int i = PARENT; i < numbers.length; i++) {
        numbers[i] = Long.parseLong(words[i]);
      }
    } catch (IOException e) {
      numbers[PARENT] = -1;
    }
    return numbers;
  }
}
