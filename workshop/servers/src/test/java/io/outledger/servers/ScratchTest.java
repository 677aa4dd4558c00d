// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody else put into the temporary folder is left alone, and where links lead as well. */
class ScratchTest {

  @TempDir Path folder;

  @Test
  void linkToAFolderThatLooksAbandonedIsNotOurs() throws IOException {
    Path abandoned = Files.createDirectory(folder.resolve("outledger-run-1"));
    Files.createFile(abandoned.resolve("lock"));
    Path link = Files.createSymbolicLink(folder.resolve("outledger-run-2"), abandoned);
    assertThat(Scratch.isOurs(abandoned)).isTrue();
    assertThat(Scratch.isOurs(link)).isFalse();
    assertThat(Scratch.isOurs(folder.resolve("gone"))).isFalse();
  }

  @Test
  void linkInPlaceOfTheLockIsNotOurs() throws IOException {
    Path real = Files.createFile(folder.resolve("real"));
    Path root = Files.createDirectory(folder.resolve("outledger-run-3"));
    Files.createSymbolicLink(root.resolve("lock"), real);
    assertThat(Scratch.isOurs(root)).isFalse();
  }

  @Test
  void deletionTakesLinksAndNotWhatTheyLeadTo() throws IOException {
    Path kept = Files.createDirectory(folder.resolve("kept"));
    Path file = Files.createFile(kept.resolve("file"));
    Path doomed = Files.createDirectories(folder.resolve("doomed/deep"));
    Files.createFile(doomed.resolve("file"));
    Files.createSymbolicLink(doomed.resolve("folder"), kept);
    Files.createSymbolicLink(doomed.resolve("link"), file);
    Scratch.delete(folder.resolve("doomed"));
    Scratch.delete(folder.resolve("never there"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), kept);
    Scratch.delete(link);
    assertThat(folder.resolve("doomed")).doesNotExist();
    assertThat(link).doesNotExist();
    assertThat(file).exists();
  }

  @Test
  void secretIsItsOwnersAlone() throws IOException {
    Path secret = Files.createFile(folder.resolve("secret"));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-rw-rw-"));
    SecretFile.create(secret);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-------");
  }
}
