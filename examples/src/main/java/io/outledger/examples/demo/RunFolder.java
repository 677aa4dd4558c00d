// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Where the services of a run have their settings and write their logs. It is deleted when this
 * process ends, however it ends, but for {@code kill -9}; the logs are left where they are needed.
 */
final class RunFolder {

  private final Path path;
  private volatile boolean isNeeded = true;

  private RunFolder(Path path) {
    this.path = path;
  }

  /** Makes a new one. */
  static RunFolder create() throws IOException {
    RunFolder folder = new RunFolder(Files.createTempDirectory("outledger-demo-"));
    Runtime.getRuntime().addShutdownHook(new Thread(folder::delete, "run-folder"));
    return folder;
  }

  Path path() {
    return path;
  }

  /** Says that nobody needs the logs. */
  void allIsWell() {
    isNeeded = false;
  }

  private void delete() {
    try {
      delete(file -> file.toString().endsWith(".properties")); // they hold a password
      if (!isNeeded) {
        delete(file -> true);
      }
    } catch (IOException e) {
      System.err.println("Could not be deleted: " + path + " (" + e + ")");
    }
  }

  /** Deletes files, those in folders first; a database that ends deletes some itself. */
  private void delete(Predicate<Path> which) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.filter(which).sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
