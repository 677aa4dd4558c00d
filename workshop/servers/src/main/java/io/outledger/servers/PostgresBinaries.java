// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.BufferedInputStream;
import java.nio.file.Path;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * The unpacked programs of one version of PostgreSQL, shared by all JVMs of this user.
 *
 * @param folder holds bin, lib and share
 */
record PostgresBinaries(Path folder) {

  static PostgresBinaries of(PostgresRelease release) {
    return new PostgresBinaries(
        UnpackedArchive.folder(
            release.artifactAndVersion(),
            () -> new XZCompressorInputStream(new BufferedInputStream(release.open()))));
  }

  Path program(String name) {
    return folder.resolve("bin").resolve(name);
  }
}
