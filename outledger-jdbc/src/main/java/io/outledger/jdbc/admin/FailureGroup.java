// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parked messages that failed alike.
 *
 * @param failure what they have in common, as {@link #of} makes it of their errors
 * @param count how many they are
 * @param oldest when the first of them was parked
 * @param newest when the last of them was parked
 * @param example one of them
 */
public record FailureGroup(
    String failure, Count count, Instant oldest, Instant newest, Parked example) {

  /** How much of an error counts. */
  private static final int CHARS_MAX = 300;

  /** A word with a digit in it, such as a number, an id, an address; but no code of ours. */
  private static final Pattern NUMBERED =
      Pattern.compile(
          "(?<![\\p{Alnum}_.:/-])(?!OUT-\\d{3})[\\p{Alnum}_.:/-]*\\d[\\p{Alnum}_.:/-]*");

  /**
   * Returns what an error has in common with others of its kind: its first line, which begins with
   * the error's class, with a {@code #} for every word that has a digit in it.
   *
   * @param error what a parked message says of its last failure
   */
  public static String of(String error) {
    String text = Require.nonNull("error", error);
    int end = text.indexOf('\n');
    String line = (end < 0 ? text : text.substring(0, end)).strip();
    String cut = line.length() > CHARS_MAX ? line.substring(0, CHARS_MAX) : line;
    return NUMBERED.matcher(cut).replaceAll("#");
  }

  /**
   * Returns whether an error is of a group.
   *
   * @param failure what the errors of the group have in common
   * @param error what a parked message says of its last failure; null is of no group
   */
  public static boolean contains(String failure, @Nullable String error) {
    Require.nonNull("failure", failure);
    return error != null && failure.equals(of(error));
  }
}
