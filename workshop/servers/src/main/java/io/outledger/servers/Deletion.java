// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a file or a folder with all it holds, and never anything else: a symbolic link goes
 * itself, not what it leads to. Whoever may write into the folder, such as a server that runs as
 * another user, cannot put a link in the way meanwhile. Files that vanish are nobody's loss.
 */
final class Deletion {

  private Deletion() {}

  static void delete(Path target) {
    Path path = target.toAbsolutePath();
    try (DirectoryStream<Path> parent = Files.newDirectoryStream(path.getParent())) {
      if (parent instanceof SecureDirectoryStream<Path> secure) {
        deleteIn(secure, path.getFileName());
      } else {
        Files.walkFileTree(path, new Walk()); // not on Linux
      }
    } catch (NoSuchFileException e) {
      return; // it is what was asked for
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By the open folder and the name in it, so that no path is looked up a second time. */
  private static void deleteIn(SecureDirectoryStream<Path> folder, Path name) throws IOException {
    try {
      BasicFileAttributeView view =
          folder.getFileAttributeView(
              name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (!view.readAttributes().isDirectory()) {
        folder.deleteFile(name);
        return;
      }
      try (SecureDirectoryStream<Path> inside =
          folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        for (Path each : inside) {
          deleteIn(inside, each.getFileName());
        }
      }
      folder.deleteDirectory(name);
    } catch (NoSuchFileException e) {
      return; // somebody else deleted it
    }
  }

  private static final class Walk extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
        throws IOException {
      if (e != null && !(e instanceof NoSuchFileException)) {
        throw e;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
