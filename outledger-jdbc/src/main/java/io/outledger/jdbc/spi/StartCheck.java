// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.jdbc.admin.Moved;
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
   * @param sight what it knows of the ledger
   * @param asked from where it was to go, and up to where all would be settled there
   */
  public static ConfigurationException stays(MoveRequest request, LedgerSight sight, Moved asked) {
    Require.nonNull("request", request);
    Require.nonNull("asked", asked);
    String where =
        "subscription %s has come to position %s%s, and %s begins after %s. "
            .formatted(
                request.verb().subscription(),
                asked.from(),
                request.beginsAnew(sight) ? " of another ledger" : "",
                request.start(),
                asked.to());
    String way =
        request.beginsAnew(sight)
            ? "A move passes over nothing; move it to the earliest message, or skip what is to be"
                + " passed over"
            : "A move passes over nothing; to pass over what is not settled before it, skip";
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        where
            + (request.skips()
                ? "A skip reads nothing again; to read again what lies between, move it"
                : way));
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
