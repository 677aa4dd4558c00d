// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** The unpacked programs of one version of a server, shared by all JVMs of this user. */
final class UnpackedArchive {
  private static final int EXECUTABLE_BITS = 0111;

  private UnpackedArchive() {}

  /** Opens an archive. */
  @FunctionalInterface
  interface Opening {

    /** Returns the archive, decompressed: what tar wrote. */
    InputStream open() throws IOException;
  }

  /**
   * Returns the folder that an archive is unpacked into, and unpacks it if it is not there yet.
   *
   * @param name of the server, with its version
   */
  static Path folder(String name, Opening archive) {
    try {
      UserPrincipal user = Files.getOwner(Scratch.root());
      Path folder = Scratch.temporary().resolve("outledger-" + name + "-" + user.getName());
      if (!Files.exists(folder)) {
        unpack(archive, folder);
      }
      if (!Files.getOwner(folder).equals(user)) {
        throw new IllegalStateException(
            folder + " belongs to someone else, whose programs are not to be run: remove it");
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void unpack(Opening opening, Path folder) throws IOException {
    Path draft = Scratch.folder("unpack");
    try (InputStream archive = opening.open()) {
      unpack(archive, draft);
      Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw e;
    } catch (FileSystemException e) {
      // Another JVM was faster: its copy is as good.
      if (!Files.exists(folder)) {
        throw e;
      }
    } finally {
      Scratch.delete(draft);
    }
  }

  private static void unpack(InputStream archive, Path folder) throws IOException {
    try (TarArchiveInputStream tar = new TarArchiveInputStream(archive)) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        unpack(tar, entry, folder);
      }
    }
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path folder)
      throws IOException {
    Path target = folder.resolve(entry.getName()).normalize();
    if (!target.startsWith(folder)) {
      throw new IOException("An entry that leads out of the archive: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, target);
      Files.setPosixFilePermissions(target, permissions(entry));
    }
  }

  private static Set<PosixFilePermission> permissions(TarArchiveEntry entry) {
    boolean isProgram = (entry.getMode() & EXECUTABLE_BITS) != 0;
    return PosixFilePermissions.fromString(isProgram ? "rwxr-xr-x" : "rw-r--r--");
  }
}
