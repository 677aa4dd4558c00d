// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where the roles of a run write histories and outputs. Kept, unless all is well. */
final class RunFolder {

  private final Path path;

  private RunFolder(Path path) {
    this.path = path;
  }

  static RunFolder create() throws IOException {
    return new RunFolder(Files.createTempDirectory("outledger-chaos-"));
  }

  Path path() {
    return path;
  }

  /** Writes a file into it. */
  void write(String name, List<String> lines) throws IOException {
    Files.write(path.resolve(name), lines);
  }

  /** Deletes it. */
  void delete() {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
