// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * How much processor time processes have taken, as Linux counts it: in hundredths of a second. A
 * process that has ended counts with its parent once that has taken notice.
 */
public final class CpuTime {

  private static final double TICKS_PER_SECOND = 100;

  // "C1 CompilerThread0", of which Linux keeps fifteen characters.
  private static final String COMPILER = " CompilerThr";

  // Of /proc/PID/stat, counted behind the name, which may hold anything: utime, stime, and the same
  // of children that have ended.
  private static final int FIRST = 11;
  private static final int OWN = 12;
  private static final int LAST = 14;

  private CpuTime() {}

  /**
   * Whether the system tells, as Linux does.
   *
   * @return false where there is no /proc
   */
  public static boolean isTold() {
    return Files.exists(Path.of("/proc/self/stat"));
  }

  /**
   * The time of a process and of all its children, those that have ended too.
   *
   * @param pid of a process that runs
   * @return seconds since they began
   * @throws IllegalStateException when there is no such process, or no /proc
   */
  public static double seconds(long pid) {
    long ticks = ticks(pid);
    if (ticks < 0) {
      throw unknown(pid);
    }
    for (ProcessHandle child :
        ProcessHandle.of(pid).orElseThrow().descendants().toArray(ProcessHandle[]::new)) {
      ticks += Math.max(0, ticks(child.pid()));
    }
    return ticks / TICKS_PER_SECOND;
  }

  /**
   * The time of this JVM alone.
   *
   * @return seconds since it began
   * @throws IllegalStateException when there is no /proc
   */
  public static double ownSeconds() {
    long pid = ProcessHandle.current().pid();
    String[] fields = fields(pid);
    if (fields.length == 0) {
      throw unknown(pid);
    }
    return sum(fields, OWN) / TICKS_PER_SECOND;
  }

  /**
   * The time of the compiler threads of a JVM, those that live: what has ended counts no more.
   *
   * @param pid of a process that runs
   * @return seconds since they began; zero where there are none
   * @throws IllegalStateException when there is no such process, or no /proc
   */
  public static double compilerSeconds(long pid) {
    long ticks = 0;
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads.toList()) {
        String[] fields = fields(thread.resolve("stat"), COMPILER);
        if (fields.length > 0) {
          ticks += sum(fields, OWN);
        }
      }
    } catch (NoSuchFileException e) {
      throw unknown(pid);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ticks / TICKS_PER_SECOND;
  }

  private static IllegalStateException unknown(long pid) {
    return new IllegalStateException("there is no /proc/" + pid + "/stat to read");
  }

  private static long ticks(long pid) {
    String[] fields = fields(pid);
    if (fields.length == 0) {
      return -1;
    }
    return sum(fields, LAST);
  }

  private static long sum(String[] fields, int last) {
    long ticks = 0;
    for (int i = FIRST; i <= last; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    return ticks;
  }

  private static String[] fields(long pid) {
    return fields(Path.of("/proc/" + pid + "/stat"), "");
  }

  /** Returns what stands behind the name; nothing where the name has not that in it. */
  private static String[] fields(Path file, String inName) {
    try {
      String stat = Files.readString(file);
      int end = stat.lastIndexOf(')');
      return stat.substring(0, end).contains(inName)
          ? stat.substring(end + 2).split(" ", -1)
          : new String[0];
    } catch (NoSuchFileException e) {
      return new String[0];
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
