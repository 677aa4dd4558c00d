// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Gives processes a core of their own, by Linux's {@code taskset}. */
final class Cores {

  private Cores() {}

  /**
   * Has a process, with all threads and all processes that it has or will start, run on one core.
   *
   * @param pid its process id
   * @param core the core's number, from 0
   * @throws IllegalStateException where that is not possible
   */
  static void bind(long pid, int core) throws InterruptedException {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    long[] all =
        LongStream.concat(LongStream.of(pid), process.descendants().mapToLong(ProcessHandle::pid))
            .toArray();
    for (long each : all) {
      taskset(each, core);
    }
  }

  private static void taskset(long pid, int core) throws InterruptedException {
    List<String> command =
        Stream.of("taskset", "--all-tasks", "--cpu-list", "--pid", core, pid)
            .map(String::valueOf)
            .toList();
    try {
      Process taskset =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      if (taskset.waitFor() != 0 && ProcessHandle.of(pid).isPresent()) {
        throw new IllegalStateException("failed: " + String.join(" ", command));
      }
    } catch (IOException e) {
      throw new IllegalStateException("taskset is missing; it is in util-linux", e);
    }
  }
}
