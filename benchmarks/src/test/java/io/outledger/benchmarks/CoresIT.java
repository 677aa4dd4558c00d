// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CoresIT {

  @Test
  void processAndItsChildrenHaveTheCore() throws Exception {
    Process shell = new ProcessBuilder("sh", "-c", "cat; echo never").start();
    try {
      while (shell.descendants().findAny().isEmpty()) {
        Thread.onSpinWait();
      }
      Cores.bind(shell.pid(), 0);

      assertThat(cores(shell.toHandle())).isEqualTo("0");
      assertThat(cores(shell.descendants().findAny().orElseThrow())).isEqualTo("0");
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
  }

  private static String cores(ProcessHandle process) throws Exception {
    Path status = Path.of("/proc/" + process.pid() + "/status");
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .map(line -> line.substring(line.indexOf(":") + 1).strip())
        .findFirst()
        .orElseThrow();
  }
}
