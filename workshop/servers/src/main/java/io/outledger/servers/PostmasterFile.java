// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The file postmaster.pid, in which PostgreSQL notes its process, its shared memory and whether it
 * is ready.
 *
 * @param path where it is, if it is
 */
record PostmasterFile(Path path) {
  private static final int PID_LINE = 0;
  private static final int MEMORY_LINE = 6;
  private static final int STATUS_LINE = 7;
  private static final int ATTACHED_COLUMN = 6;

  static PostmasterFile in(Path dataDirectory) {
    return new PostmasterFile(dataDirectory.resolve("postmaster.pid"));
  }

  /** Whether this very process says that it takes connections. */
  boolean isReady(long pid) {
    List<String> lines = lines();
    return lines.size() > STATUS_LINE
        && lines.get(PID_LINE).strip().equals(Long.toString(pid))
        && lines.get(STATUS_LINE).strip().equals("ready");
  }

  /**
   * Removes what a killed server left in the kernel, which would outlive its folder. Only for
   * servers that are gone with all their processes.
   */
  void releaseMemory() {
    List<String> lines = lines();
    if (lines.size() > MEMORY_LINE) {
      String[] segment = lines.get(MEMORY_LINE).strip().split(" +", -1);
      if (segment.length == 2 && isUnused(segment[0], segment[1])) {
        // It fails when the segment has gone meanwhile, which is as good.
        Commands.run(List.of("sh", "-c", "ipcrm -m " + segment[1] + " 2>/dev/null || :"));
      }
    }
  }

  private static boolean isUnused(String key, String id) {
    return lines(Path.of("/proc/sysvipc/shm")).stream()
        .map(line -> line.strip().split(" +", -1))
        .filter(columns -> columns.length > ATTACHED_COLUMN)
        .filter(columns -> id.equals(columns[1]) && "0".equals(columns[ATTACHED_COLUMN]))
        .anyMatch(columns -> isSameKey(columns[0], key));
  }

  /** The kernel shows the key as signed, PostgreSQL as unsigned. */
  private static boolean isSameKey(String shown, String noted) {
    return (int) Long.parseLong(shown) == (int) Long.parseLong(noted);
  }

  void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> lines() {
    return lines(path);
  }

  private static List<String> lines(Path path) {
    try {
      return Files.readAllLines(path);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
