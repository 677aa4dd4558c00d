// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The project's own files: everything below its root but what is built, hidden or kept by git. */
final class ProjectFiles {
  private static final Set<String> NOT_OURS = Set.of("target", ".git", ".idea", ".vscode");

  private ProjectFiles() {}

  /** The root: the nearest folder upwards that holds the wrapper. */
  static Path root() {
    for (Path here = Path.of("").toAbsolutePath(); here != null; here = here.getParent()) {
      if (Files.isRegularFile(here.resolve("mvnw"))) {
        return here;
      }
    }
    throw new IllegalStateException("Not inside the project: " + Path.of("").toAbsolutePath());
  }

  /** The files whose name ends so, relative to the root and sorted. */
  static List<Path> endingIn(String ending) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(root(), new Collector(ending, found));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Collections.sort(found);
    return found;
  }

  static String read(Path file) {
    try {
      return Files.readString(root().resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Collector extends SimpleFileVisitor<Path> {
    private final String ending;
    private final List<Path> found;

    Collector(String ending, List<Path> found) {
      this.ending = ending;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      boolean ours = !NOT_OURS.contains(String.valueOf(folder.getFileName()));
      return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (file.toString().endsWith(ending)) {
        found.add(root().relativize(file));
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
