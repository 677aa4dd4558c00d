// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import java.time.Instant;
import java.util.Map;

/**
 * The limits of a message's fields. Texts have no NUL, which PostgreSQL cannot store, and no lone
 * surrogate, which has no UTF-8 form; a type is not blank and has no control characters; headers
 * are one line each; a time has a year of four digits, which databases, brokers and ISO 8601 all
 * can write. The payload's size is limited where it is appended. A ledger's own constraints refuse
 * a row beyond these limits, in bytes, from any writer.
 */
public final class MessageLimits {

  /** The most characters of a topic. */
  public static final int TOPIC_CHARS_MAX = 200;

  /** The most characters of a type. */
  public static final int TYPE_CHARS_MAX = 200;

  /** The most characters of a key. */
  public static final int KEY_CHARS_MAX = 500;

  /** The most characters of a header's name. */
  public static final int HEADER_NAME_CHARS_MAX = 100;

  /** The most characters of all headers' names and values together. */
  public static final int HEADERS_CHARS_MAX = 16_384;

  /**
   * The most bytes of a payload, whatever limit a writer sets for itself: what a relay loads has to
   * fit into its memory.
   */
  public static final int PAYLOAD_BYTES_MAX = 64 << 20;

  /** The earliest time of a message: the year 1. */
  public static final Instant TIME_MIN = Instant.parse("0001-01-01T00:00:00Z");

  /** The latest time of a message: the end of the year 9999. */
  public static final Instant TIME_MAX = Instant.parse("9999-12-31T23:59:59.999999Z");

  private MessageLimits() {}

  /**
   * Checks a message.
   *
   * @throws InvalidMessageException {@code OUT-014} naming the field and what is wrong with it
   */
  public static void check(Message message) {
    Require.nonNull("message", message);
    text(message, "topic", message.topic(), 1, TOPIC_CHARS_MAX);
    text(message, "type", message.type(), 1, TYPE_CHARS_MAX);
    if (message.type().isBlank() || hasControlCharacter(message.type())) {
      throw invalid(message, "type", "is blank or contains a control character");
    }
    String key = message.key();
    if (key != null) {
      text(message, "key", key, 1, KEY_CHARS_MAX);
    }
    if (message.version() < 1) {
      throw invalid(message, "version", "is " + message.version() + " but must be 1 or more");
    }
    if (!allows(message.time())) {
      throw invalid(
          message, "time", "is " + message.time() + " but must be in the years 1 to 9999, UTC");
    }
    headers(message);
    if (message.isTombstone() && (key == null || message.payload().length > 0)) {
      throw invalid(
          message,
          "header " + Message.TOMBSTONE_HEADER,
          "makes it a tombstone, which must have a key and no payload");
    }
  }

  /** Says whether a message may have this time: {@link #TIME_MIN} to {@link #TIME_MAX}. */
  public static boolean allows(Instant time) {
    Require.nonNull("time", time);
    return !time.isBefore(TIME_MIN) && !time.isAfter(TIME_MAX);
  }

  /** Says whether databases can store a text: one with neither a NUL nor an unpaired surrogate. */
  public static boolean isStorable(String text) {
    return Require.nonNull("text", text)
        .codePoints()
        .allMatch(c -> c != 0 && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE));
  }

  private static void headers(Message message) {
    int chars = 0;
    for (Map.Entry<String, String> header : message.headers().entrySet()) {
      text(message, "header name", header.getKey(), 1, HEADER_NAME_CHARS_MAX);
      if (!isHeaderName(header.getKey())) {
        throw invalid(message, "header name", "must be printable ASCII without ':' or '='");
      }
      text(message, "header value", header.getValue(), 0, HEADERS_CHARS_MAX);
      if (header.getValue().indexOf('\r') >= 0 || header.getValue().indexOf('\n') >= 0) {
        throw invalid(message, "header value", "must be a single line, but contains CR or LF");
      }
      chars += header.getKey().length() + header.getValue().length();
    }
    if (chars > HEADERS_CHARS_MAX) {
      throw invalid(
          message,
          "headers",
          "have " + chars + " characters, more than the limit of " + HEADERS_CHARS_MAX);
    }
  }

  // Loops, since each append checks its messages, and streams take most of that time.
  private static boolean hasControlCharacter(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHeaderName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == ':' || c == '=') {
        return false;
      }
    }
    return true;
  }

  private static void text(Message message, String field, String value, int min, int max) {
    if (value.length() < min || value.length() > max) {
      throw invalid(
          message,
          field,
          "has " + value.length() + " characters but must have " + min + " to " + max);
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == 0) {
        throw invalid(
            message, field, "contains a NUL character, which a database cannot store as text");
      }
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < value.length()
                && Character.isLowSurrogate(value.charAt(i + 1));
        if (!pair) {
          throw invalid(
              message, field, "contains an unpaired surrogate, which UTF-8 cannot encode");
        }
        i++;
      }
    }
  }

  private static InvalidMessageException invalid(Message message, String field, String problem) {
    return new InvalidMessageException(
        ErrorCode.INVALID_MESSAGE, "message " + message.id() + ": " + field + " " + problem);
  }
}
