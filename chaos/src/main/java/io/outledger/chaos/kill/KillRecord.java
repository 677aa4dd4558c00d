// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.kill;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process that was killed.
 *
 * @param role who it was
 * @param pid its process id
 * @param atMs when, in milliseconds since the run began
 * @param inFlight how many committed messages the subscription had not settled then
 */
public record KillRecord(String role, long pid, long atMs, long inFlight) {

  /** Notes it in the folder of the environment variable OUTLEDGER_VERIFY_DIR, if there is one. */
  void note() {
    String folder = System.getenv().getOrDefault("OUTLEDGER_VERIFY_DIR", "");
    if (folder.isBlank()) {
      return;
    }
    String line =
        "{\"kind\":\"kill\",\"role\":\"%s\",\"pid\":%d,\"atMs\":%d,\"inFlight\":%d}%n"
            .formatted(role, pid, atMs, inFlight);
    try {
      Path file = Path.of(folder, "kills-" + ProcessHandle.current().pid() + ".jsonl");
      Files.createDirectories(Path.of(folder));
      Files.writeString(file, line, CREATE, APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
