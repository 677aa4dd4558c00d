// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A database that was dumped.
 *
 * @param tables the file that makes the tables and views
 * @param rows the file that inserts the rows, and then makes the triggers
 */
public record InnoDbDump(Path tables, Path rows) {

  static InnoDbDump empty() {
    try {
      return new InnoDbDump(
          Files.createTempFile("outledger-dump-", ".sql"),
          Files.createTempFile("outledger-dump-", ".sql"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(tables);
      Files.deleteIfExists(rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
