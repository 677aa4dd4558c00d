// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.fault;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A fault that was done.
 *
 * @param fault which
 * @param victim whom it hit
 * @param inFlight how much work was in flight: for a relay or a server, committed messages that the
 *     subscription had not settled; for a writer, open transactions; for a consumer, messages
 *     published without an effect yet
 * @param beganMs when, in milliseconds of the clock that all processes here share
 * @param endedMs when it was over: a server was back, a process ran again, a line was whole
 */
public record Incident(Fault fault, Victim victim, long inFlight, long beganMs, long endedMs) {

  /**
   * Who was hit.
   *
   * @param name such as {@code relay-1} or {@code postgres}
   * @param pid its process id then, 0 where no single process was hit
   */
  public record Victim(String name, long pid) {}

  /** Says whether a process was killed. */
  public boolean isKill() {
    return fault.word().endsWith("-killed");
  }

  /**
   * Notes a kill in the folder of the environment variable OUTLEDGER_VERIFY_DIR, if there is one.
   */
  public void note(long runBeganMs) {
    String folder = System.getenv().getOrDefault("OUTLEDGER_VERIFY_DIR", "");
    if (folder.isBlank() || !isKill()) {
      return;
    }
    String line =
        "{\"kind\":\"kill\",\"role\":\"%s\",\"pid\":%d,\"atMs\":%d,\"inFlight\":%d}%n"
            .formatted(victim.name(), victim.pid(), beganMs - runBeganMs, inFlight);
    try {
      Path file = Path.of(folder, "kills-" + ProcessHandle.current().pid() + ".jsonl");
      Files.createDirectories(Path.of(folder));
      Files.writeString(file, line, CREATE, APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
