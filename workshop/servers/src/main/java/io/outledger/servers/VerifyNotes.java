// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * Notes which servers were really started, for the report of a whole test run. Nothing is noted
 * unless the environment variable OUTLEDGER_VERIFY_DIR names the folder to do so. Thread-safe.
 */
final class VerifyNotes {
  private static final Set<String> NOTED = new HashSet<>();

  private VerifyNotes() {}

  static synchronized void started(String name, String version) {
    String folder = System.getenv().getOrDefault("OUTLEDGER_VERIFY_DIR", "");
    String line =
        "{\"kind\":\"server\",\"name\":\"%s\",\"version\":\"%s\"}\n".formatted(name, version);
    if (folder.isBlank() || !NOTED.add(line)) {
      return;
    }
    try {
      Path file = Path.of(folder, "servers-" + ProcessHandle.current().pid() + ".jsonl");
      Files.createDirectories(file.getParent());
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
