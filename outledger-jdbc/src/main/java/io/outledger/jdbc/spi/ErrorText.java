// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import org.jspecify.annotations.Nullable;

/** What a broker or a handler said of a failure, as a text that every database can store. */
public final class ErrorText {

  private static final int CHARS_MAX = 4000;

  private ErrorText() {}

  /**
   * Returns the text without what a database refuses, such as a NUL, and cut to 4,000 characters.
   *
   * @param error what was said; null where nothing was, which is returned as null
   */
  public static @Nullable String storable(@Nullable String error) {
    if (error == null) {
      return null;
    }
    StringBuilder text = new StringBuilder(Math.min(error.length(), CHARS_MAX));
    error
        .codePoints()
        .limit(CHARS_MAX)
        .map(
            c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? '?' : c)
        .forEach(text::appendCodePoint);
    return text.toString();
  }
}
