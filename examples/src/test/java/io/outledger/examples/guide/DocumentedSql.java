// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The SQL blocks of a document; the first line of each, a comment, is its title. */
record DocumentedSql(String page, String text) {

  private static final Pattern BLOCK =
      Pattern.compile("^```sql\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  /**
   * Reads a document.
   *
   * @param page its path below {@code docs}
   */
  static DocumentedSql of(String page) {
    try {
      return new DocumentedSql(page, Files.readString(Path.of("..", "docs", page)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the one block whose title begins so. */
  String block(String title) {
    return BLOCK
        .matcher(text)
        .results()
        .map((MatchResult block) -> block.group(1))
        .filter(sql -> sql.startsWith("-- " + title))
        .reduce(
            (one, other) -> {
              throw new IllegalStateException("two blocks of " + page + " are called " + title);
            })
        .orElseThrow(() -> new IllegalStateException(page + " has no block called " + title));
  }
}
