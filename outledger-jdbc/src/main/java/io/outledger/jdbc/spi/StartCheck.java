// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.jdbc.admin.Skip;
import io.outledger.jdbc.admin.Verb;
import io.outledger.store.Start;

/** Checks that a subscription can start at a position: with the same words on every database. */
public final class StartCheck {

  private StartCheck() {}

  /**
   * Checks that retention has not removed the position.
   *
   * @param purgedTo up to which position retention has removed all; 0 if it has removed nothing
   * @throws ConfigurationException {@code OUT-019} if it has, {@code OUT-021} if something is null
   */
  public static void notPurged(CursorKey key, Start.AtPosition at, long purgedTo) {
    Require.nonNull("key", key);
    Require.nonNull("at", at);
    if (at.position() <= purgedTo) {
      throw new ConfigurationException(
          ErrorCode.POSITION_PURGED,
          """
          subscription %s cannot start at position %s: retention has removed all up to %s. \
          Start it at %s or later, or at the earliest message\
          """
              .formatted(key, at.position(), purgedTo, purgedTo + 1));
    }
  }

  /**
   * Returns why a subscription stays where it is: a move would pass over something, or a skip read
   * again.
   *
   * @param reached the highest position that it has settled, or that retention has removed
   * @param target the highest that is settled where it was to go
   */
  public static ConfigurationException stays(Verb.OfPlace verb, long reached, long target) {
    Require.nonNull("verb", verb);
    String where =
        "subscription %s has come to position %s, and %s begins after %s. "
            .formatted(verb.subscription(), reached, verb.start(), target);
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        where
            + (verb instanceof Skip
                ? "A skip reads nothing again; to read again what lies between, move it"
                : "A move passes over nothing; to pass over what is not settled before it, skip"));
  }

  /**
   * Checks that the position is not beyond the next one of the ledger.
   *
   * @param last the last position that the ledger has given out; 0 if none
   * @throws ConfigurationException {@code OUT-021} if it is, or something is null
   */
  public static void notBeyond(CursorKey key, Start.AtPosition at, long last) {
    Require.nonNull("key", key);
    Require.nonNull("at", at);
    if (at.position() > last + 1) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "subscription %s cannot start at position %s: the next position of the ledger is %s"
              .formatted(key, at.position(), last + 1));
    }
  }
}
