// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A disk of a given size that can be filled and freed: a file system in memory, mounted for us
 * alone. Only root on Linux can have one. It is unmounted on close; a JVM that is killed leaves it
 * mounted until the machine restarts. Thread-safe.
 */
public final class SmallDisk implements AutoCloseable {
  private static final int PIECE_BYTES = 1024 * 1024;
  private static final long RESERVED_LESS = 8L * PIECE_BYTES;

  private final Path path;

  private SmallDisk(Path path) {
    this.path = path;
    Shutdown.closeLater(this);
  }

  /**
   * Says why there can be none here.
   *
   * @return the reason; empty where one can be had
   */
  public static Optional<String> impossibleBecause() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return Optional.of("only root can mount a small disk");
    }
    if (!Commands.have("mount") || !Commands.have("umount") || !Commands.have("fallocate")) {
      return Optional.of("there is no mount, umount or fallocate here");
    }
    try {
      ofMib(1).close();
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of("a small disk cannot be mounted here");
    }
  }

  /**
   * Mounts an empty one.
   *
   * @param mib its size in MiB
   * @return the disk, to be closed by the caller when nobody uses it any more
   */
  public static SmallDisk ofMib(int mib) {
    Path path = Scratch.folder("disk");
    // Servers that run as another user must be able to pass through, not to look around.
    String options = "size=" + mib + "m,mode=0711";
    Commands.run(List.of("mount", "-t", "tmpfs", "-o", options, "tmpfs", path.toString()));
    return new SmallDisk(path);
  }

  /**
   * Where it is mounted.
   *
   * @return an existing folder
   */
  public Path path() {
    return path;
  }

  /** Fills it to the last byte, so that whoever writes is told that no space is left. */
  public void fill() {
    try {
      reserve(Files.getFileStore(path).getUsableSpace());
      fillRest();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Frees what {@link #fill()} has taken. */
  public void free() {
    try {
      Files.deleteIfExists(ballast());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Unmounts it, with all it holds. */
  @Override
  public void close() {
    Shutdown.forget(this);
    Commands.run(List.of("umount", path.toString()));
    Scratch.delete(path);
  }

  /** Takes most of it at once; what others write meanwhile makes it fail, and little is left. */
  private void reserve(long bytes) {
    String size = Long.toString(Math.max(1, bytes - RESERVED_LESS));
    String command = "fallocate -l \"$1\" \"$2\" || :";
    Commands.run(List.of("sh", "-c", command, "sh", size, ballast().toString()));
  }

  private void fillRest() throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    int size = PIECE_BYTES;
    try (OutputStream out = Files.newOutputStream(ballast(), CREATE, APPEND)) {
      while (size > 0) {
        size = isWritten(out, piece, size) ? size : size / 2;
      }
    }
  }

  private static boolean isWritten(OutputStream out, byte[] piece, int size) {
    try {
      out.write(piece, 0, size);
      return true;
    } catch (IOException e) {
      return false; // it is full, which is what was wanted
    }
  }

  private Path ballast() {
    return path.resolve("ballast");
  }
}
