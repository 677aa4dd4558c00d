// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Text from outside, made safe to print: on one line, without characters that end a line, move a
 * cursor, change the direction of writing or cannot be seen, and no longer than a limit. Without
 * this, anyone who chooses an id or a topic could forge lines in logs and errors.
 *
 * <p>Control and format characters, line and paragraph separators, and halves of surrogate pairs
 * become {@code \n}, {@code \r}, {@code \t} or {@code \}{@code u} with four digits. Everything else
 * stays as it is, a backslash too, so what is printable does not change when it passes here again.
 * Text is for people to read: it cannot be turned back into what it was.
 *
 * <p>Of a {@link java.sql.SQLException}, and of a failure that quotes one among its causes, only
 * the first line is kept of what the database said: further lines quote rows.
 *
 * <p>Use it for each id, type, topic, key, name, header, server's or user's error text that is put
 * into a log line, an event or an exception. The text of an {@link OutledgerException} passes here
 * by itself.
 */
public final class Printable {

  /** The most characters of a value: more than any name, id or key that Outledger accepts. */
  public static final int VALUE_CHARS_MAX = 600;

  /** The most characters of a whole error text. */
  public static final int TEXT_CHARS_MAX = 4_000;

  private static final String CUT = "... (cut)";

  private Printable() {}

  /**
   * Returns a value's text, printable, of at most {@value #VALUE_CHARS_MAX} characters.
   *
   * @param value any value; {@code null} becomes {@code "null"}, and one whose {@code toString}
   *     throws becomes its class name
   */
  public static String value(@Nullable Object value) {
    return bounded(value, VALUE_CHARS_MAX);
  }

  /**
   * Returns a longer text, such as an error's, printable, of at most {@value #TEXT_CHARS_MAX}
   * characters. Otherwise like {@link #value}.
   */
  public static String text(@Nullable Object text) {
    return bounded(text, TEXT_CHARS_MAX);
  }

  /**
   * Returns a length of time in the largest unit that it is a whole number of, such as {@code 7
   * days}, {@code 90 minutes} or {@code 250 ms}.
   *
   * @param duration any; {@code null} becomes {@code "null"}
   */
  public static String span(@Nullable Duration duration) {
    if (duration == null) {
      return "null";
    }
    if (duration.toNanosPart() != 0) {
      return duration.toNanosPart() % 1_000_000 == 0 && duration.compareTo(Duration.ofDays(1)) < 0
          ? duration.toMillis() + " ms"
          : duration.toString();
    }
    long seconds = duration.toSeconds();
    if (seconds != 0 && seconds % 86_400 == 0) {
      return count(seconds / 86_400, "day");
    }
    if (seconds != 0 && seconds % 3_600 == 0) {
      return count(seconds / 3_600, "hour");
    }
    return seconds != 0 && seconds % 60 == 0 ? count(seconds / 60, "minute") : seconds + " s";
  }

  /**
   * Returns a length of time for people, rounded: below one second to milliseconds, and above to
   * seconds. Otherwise like {@link #span}.
   *
   * @param duration not negative; {@code null} becomes {@code "null"}
   */
  public static String about(@Nullable Duration duration) {
    if (duration == null) {
      return "null";
    }
    if (duration.compareTo(Duration.ofDays(1)) >= 0) {
      return span(Duration.ofSeconds(duration.toSeconds()));
    }
    long millis = duration.plusNanos(500_000).toMillis();
    return span(
        millis < 1_000
            ? Duration.ofMillis(millis)
            : Duration.ofSeconds(duration.plusMillis(500).toSeconds()));
  }

  /** Returns a count with its noun, such as {@code 1 attempt} or {@code 2 attempts}. */
  public static String count(long count, String noun) {
    return count + " " + Require.nonNull("noun", noun) + (count == 1 ? "" : "s");
  }

  /**
   * Returns a copy of somebody else's failure for a logger, which prints messages as they are: its
   * text and those of its causes and suppressed failures are printable, their stack traces the
   * same.
   */
  public static Throwable trace(Throwable failure) {
    Require.nonNull("failure", failure);
    return PrintableFailure.of(failure);
  }

  private static String bounded(@Nullable Object value, int charsMax) {
    String text = textOf(value);
    if (text.length() <= charsMax && text.codePoints().allMatch(Printable::isPrintable)) {
      return text;
    }
    StringBuilder safe = new StringBuilder();
    for (int at = 0; at < text.length() && safe.length() <= charsMax; ) {
      int codePoint = text.codePointAt(at);
      append(safe, codePoint);
      at += Character.charCount(codePoint);
    }
    return safe.length() > charsMax ? cut(safe, charsMax) : safe.toString();
  }

  // The limit may fall between the halves of a surrogate pair.
  private static String cut(StringBuilder safe, int charsMax) {
    int end = charsMax - CUT.length();
    int whole = Character.isHighSurrogate(safe.charAt(end - 1)) ? end - 1 : end;
    return safe.substring(0, whole) + CUT;
  }

  // A user's object may be broken in any way, and a log line must not fail because of it: toString
  // may throw anything, or return null, which the second valueOf turns into "null".
  private static String textOf(@Nullable Object value) {
    try {
      return value instanceof Throwable failure
          ? told(failure)
          : String.valueOf(String.valueOf(value));
    } catch (Throwable e) {
      return value == null ? "null" : value.getClass().getName() + " (without a text)";
    }
  }

  /** A failure that says nothing itself is told with its first cause that does. */
  private static String told(Throwable failure) {
    StringBuilder told = new StringBuilder();
    for (Throwable each : Causes.of(failure)) {
      told.append(told.length() == 0 ? "" : ": ");
      told.append(SqlDetails.cut(String.valueOf(String.valueOf(each)), each));
      if (each.getMessage() != null && !each.getMessage().isBlank()) {
        break;
      }
    }
    return told.toString();
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  private static void append(StringBuilder safe, int codePoint) {
    switch (codePoint) {
      case '\n' -> safe.append("\\n");
      case '\r' -> safe.append("\\r");
      case '\t' -> safe.append("\\t");
      default -> {
        if (isPrintable(codePoint)) {
          safe.appendCodePoint(codePoint);
        } else {
          for (char unit : Character.toChars(codePoint)) {
            safe.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
          }
        }
      }
    }
  }
}
