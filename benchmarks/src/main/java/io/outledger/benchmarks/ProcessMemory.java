// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of another JVM, in MiB.
 *
 * @param resident what it has of the machine's memory
 * @param highest the most that this was
 * @param heap what is in use of its heap after a collection
 */
record ProcessMemory(double resident, double highest, double heap) {

  private static final double KIB_A_MIB = 1024;

  /** Asks a JVM that the same user runs on a collector with generations. */
  static ProcessMemory of(long pid) {
    try {
      String status = Files.readString(Path.of("/proc/" + pid + "/status"));
      double resident = sum("VmRSS:\\s+(\\d+) kB", status);
      double highest = sum("VmHWM:\\s+(\\d+) kB", status);
      jcmd(pid, "GC.run");
      String heap = jcmd(pid, "GC.heap_info");
      return new ProcessMemory(
          resident, highest, sum("(?:generation|heap)\\s+total \\d+K, used (\\d+)K", heap));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double sum(String pattern, String text) {
    double sum = 0;
    Matcher found = Pattern.compile(pattern).matcher(text);
    while (found.find()) {
      sum += Double.parseDouble(found.group(1)) / KIB_A_MIB;
    }
    return sum;
  }

  private static String jcmd(long pid, String question) throws IOException {
    Path program = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(program.toString(), Long.toString(pid), question)
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
