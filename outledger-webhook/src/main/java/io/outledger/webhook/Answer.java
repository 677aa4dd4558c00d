// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import io.outledger.Printable;
import io.outledger.publish.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint has answered.
 *
 * @param status the status
 * @param retryAfter how long it asks to be left alone; zero where it does not ask
 * @param text the beginning of its body
 */
record Answer(int status, Duration retryAfter, String text) {

  private static final Duration RETRY_AFTER_MAX = Duration.ofHours(1);
  private static final int TEXT_CHARS_MAX = 200;

  /** What an answer means for the message and for others. */
  enum Meaning {
    ACCEPTED,
    /** The endpoint takes nothing now. */
    AWAY,
    /** The endpoint as it is configured takes nothing, whatever the message. */
    MISCONFIGURED,
    /** The endpoint wants nothing any more. */
    GONE,
    /** This message, and perhaps the endpoint itself: it failed. */
    FAILED,
    /** This message. */
    REFUSED
  }

  static Answer of(int status, @Nullable String retryAfter, String body, Instant now) {
    String text = body.length() > TEXT_CHARS_MAX ? body.substring(0, TEXT_CHARS_MAX) : body;
    return new Answer(status, delay(retryAfter, now), Printable.text(text.strip()));
  }

  Meaning meaning() {
    if (status >= 200 && status < 300) {
      return Meaning.ACCEPTED;
    }
    if (status < 400) {
      return Meaning.MISCONFIGURED; // a redirection is not followed: it was not configured
    }
    return switch (status) {
      case 401, 403, 404, 405, 407, 421, 426, 501, 505 -> Meaning.MISCONFIGURED;
      case 408, 425, 429, 502, 503, 504 -> Meaning.AWAY;
      case 410 -> Meaning.GONE;
      default -> status < 500 ? Meaning.REFUSED : Meaning.FAILED;
    };
  }

  /** Returns the outcome of the message, where the endpoint is not the only one of its route. */
  Outcome outcome(boolean isSole, WebhookEndpoint endpoint) {
    String said = endpoint + " answered " + status + (text.isEmpty() ? "" : ": " + text);
    return switch (meaning()) {
      case ACCEPTED -> Outcome.PUBLISHED;
      case AWAY -> isSole ? Outcome.unreachable(said) : Outcome.topicUnavailable(said);
      case MISCONFIGURED -> Outcome.topicUnavailable(said + misconfigured());
      case GONE -> Outcome.refused(said + "; it is disabled until the relay starts again");
      case FAILED -> Outcome.suspect(said);
      case REFUSED -> Outcome.rejected(said);
    };
  }

  private String misconfigured() {
    return status < 400
        ? "; redirections are not followed: configure the new address"
        : "; check its address and credentials";
  }

  private static Duration delay(@Nullable String retryAfter, Instant now) {
    Duration asked = retryAfter == null ? Duration.ZERO : parsed(retryAfter.strip(), now);
    if (asked.isNegative()) {
      return Duration.ZERO;
    }
    return asked.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : asked;
  }

  private static Duration parsed(String text, Instant now) {
    if (text.matches("[0-9]{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    try {
      ZonedDateTime until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
      return Duration.between(now, until.toInstant());
    } catch (DateTimeParseException e) {
      return Duration.ZERO; // no time that anybody could keep
    }
  }
}
