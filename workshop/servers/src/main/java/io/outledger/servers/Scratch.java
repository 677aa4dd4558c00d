// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The temporary folders of this JVM: all in one root that is deleted when the JVM ends.
 *
 * <p>The root holds a file that is locked as long as the JVM lives. A JVM that was killed leaves
 * its root behind; the next one sees that the lock is free and deletes it.
 */
final class Scratch {
  private static final String PREFIX = "outledger-run-";
  private static final String LOCK = "lock";
  private static final Root ROOT = Root.open();

  private Scratch() {}

  /** A new empty folder; whoever asked for it deletes it, or else it goes with the JVM. */
  static Path folder(String name) {
    return folderIn(ROOT.path, name);
  }

  /** The same in another folder, which somebody else deletes. */
  static Path folderIn(Path parent, String name) {
    try {
      return Files.createTempDirectory(parent, name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder of all folders of this JVM. */
  static Path root() {
    return ROOT.path;
  }

  static Path temporary() throws IOException {
    return Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** Deletes a folder with all it holds; see {@link Deletion}. */
  static void delete(Path folder) {
    Deletion.delete(folder);
  }

  /** The open lock is a field so that it is not collected, which would give the lock up. */
  private record Root(Path path, FileChannel lock) implements AutoCloseable {
    static Root open() {
      try {
        sweepLater();
        Path path = Files.createTempDirectory(temporary(), PREFIX);
        // Servers that run as another user must be able to pass through, not to look around.
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
        // Locked before it has its name, so that no other JVM finds it free.
        Path draft = path.resolve("lock.new");
        FileChannel channel = FileChannel.open(draft, CREATE, WRITE);
        channel.lock();
        Files.move(draft, path.resolve(LOCK));
        Root root = new Root(path, channel);
        Shutdown.closeLater(root);
        return root;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      delete(path);
      lock.close();
    }
  }

  /**
   * Beside the tests, which need not wait for it; what is left at their end, the next one sweeps.
   */
  private static void sweepLater() {
    Thread thread = new Thread(Scratch::sweep, "servers-sweep");
    thread.setDaemon(true);
    thread.start();
  }

  private static void sweep() {
    try (DirectoryStream<Path> roots = Files.newDirectoryStream(temporary(), PREFIX + "*")) {
      for (Path root : roots) {
        if (!root.equals(ROOT.path) && isOurs(root)) {
          deleteIfAbandoned(root);
        }
      }
    } catch (IOException e) {
      System.err.println("Old folders are left for the next JVM to delete: " + e);
    }
  }

  /**
   * Anybody may put something of this name into a temporary folder: a link, or a folder with links.
   * What this user owns and is no link was made here, and nobody else may write into it.
   */
  static boolean isOurs(Path root) throws IOException {
    Path lock = root.resolve(LOCK);
    return Files.isDirectory(root, NOFOLLOW_LINKS)
        && isOwnedLikeRoot(root)
        && Files.isRegularFile(lock, NOFOLLOW_LINKS)
        && isOwnedLikeRoot(lock);
  }

  private static boolean isOwnedLikeRoot(Path path) throws IOException {
    try {
      return Files.getOwner(path, NOFOLLOW_LINKS).equals(Files.getOwner(ROOT.path));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static void deleteIfAbandoned(Path root) {
    try (FileChannel channel = FileChannel.open(root.resolve(LOCK), WRITE, NOFOLLOW_LINKS)) {
      if (channel.tryLock() != null) {
        deleteFolders(root);
        delete(root); // the lock last, or a folder whose deletion fails would never be found again
      }
    } catch (NoSuchFileException e) {
      return; // another JVM swept it first
    } catch (IOException | UncheckedIOException e) {
      System.err.println("Left for the next JVM to delete: " + root + " (" + e + ")");
    }
  }

  private static void deleteFolders(Path root) throws IOException {
    try (DirectoryStream<Path> folders =
        Files.newDirectoryStream(root, path -> Files.isDirectory(path, NOFOLLOW_LINKS))) {
      for (Path folder : folders) {
        PostmasterFile.in(folder.resolve("data")).releaseMemory();
        delete(folder);
      }
    }
  }
}
