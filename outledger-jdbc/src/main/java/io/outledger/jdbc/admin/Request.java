// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.security.SecureRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an operator asks for: what, who and why. It is kept as the audit of what operators did.
 * Immutable.
 *
 * @param id names the request: asked twice with the same id, it happens once
 * @param verb what is to be done
 * @param askedBy who asks, 1 to {@value #ASKED_BY_CHARS_MAX} characters
 * @param reason why, 1 to {@value #REASON_CHARS_MAX} characters
 */
public record Request(UUID id, Verb verb, String askedBy, String reason) {

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The most characters of who asks. */
  public static final int ASKED_BY_CHARS_MAX = 200;

  /** The most characters of the reason. */
  public static final int REASON_CHARS_MAX = 1_000;

  /**
   * Checks the texts.
   *
   * @throws ConfigurationException {@code OUT-021} if something is null, empty, too long, or
   *     contains what no database stores
   */
  public Request {
    Require.nonNull("id", id);
    Require.nonNull("verb", verb);
    check("askedBy", askedBy, ASKED_BY_CHARS_MAX);
    check("reason", reason, REASON_CHARS_MAX);
  }

  private static void check(String name, @Nullable String value, int charsMax) {
    String text = Require.text(name, value);
    if (text.isBlank() || text.length() > charsMax) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          name
              + (text.isBlank() ? " is empty" : " has " + text.length() + " characters")
              + " but must have 1 to "
              + charsMax
              + "; nothing was asked for");
    }
  }

  /** Returns a random id, of version 4. */
  static UUID newId() {
    return new UUID(
        (RANDOM.nextLong() & ~0xf000L) | 0x4000L,
        (RANDOM.nextLong() & 0x3fffffffffffffffL) | Long.MIN_VALUE);
  }

  /** Returns the same with an id of the caller's: a second call with it changes nothing. */
  public Request withId(UUID value) {
    return new Request(value, verb, askedBy, reason);
  }
}
