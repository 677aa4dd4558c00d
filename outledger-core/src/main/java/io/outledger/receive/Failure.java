// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Causes;
import io.outledger.InvalidMessageException;
import io.outledger.OutledgerException;
import io.outledger.UnreadablePayloadException;
import java.nio.channels.ClosedByInterruptException;

/** What a failure says of the message that met it. */
enum Failure {
  /** Nothing: what the handler needs is not there. No attempt counts. */
  UNAVAILABLE,
  /** No room to park anything. */
  FULL,
  /** It, or the handler, is at fault; a later attempt may succeed. */
  SUSPECT,
  /**
   * It cannot be read yet, since what reads it is still being fetched: it waits for a moment. No
   * attempt counts, or what others send could use up the attempts of a message that waits behind.
   */
  NOT_YET,
  /**
   * What the handler keeps for its key, such as the state of a saga, is of a build that knows more
   * than this one: it waits for such a build. No attempt counts, since nothing is wrong with it.
   */
  NOT_HERE,
  /**
   * It cannot be read by this build, and may be by the next release: so it is tried again. It says
   * nothing of other messages, so no breaker counts it: or whoever may send could stop the stream.
   */
  UNREADABLE,
  /** No attempt can succeed. */
  FINAL;

  /**
   * Says what follows from what was thrown. An {@link Error} is a failure like any other, because
   * one message may cause it each time; where everything fails, the breaker opens. So is an
   * interrupt, unless the receiver is closing: ask {@link #isInterrupt} before.
   */
  static Failure of(Throwable thrown) {
    if (thrown instanceof InvalidMessageException invalid) {
      if (invalid instanceof UnreadablePayloadException) {
        return UNREADABLE;
      }
      return invalid.isForGood() ? FINAL : SUSPECT;
    }
    if (thrown instanceof OutledgerException ours) {
      return switch (ours.code()) {
        case TOO_MANY_PARKED -> FULL;
        case SCHEMA_PENDING -> NOT_YET;
        case SAGA_UNREADABLE -> NOT_HERE;
        case UNREADABLE_PAYLOAD, UNREGISTERED_TYPE -> UNREADABLE;
        default -> ours.code().isOutage() ? UNAVAILABLE : SUSPECT;
      };
    }
    return SUSPECT;
  }

  /** Says whether the message waits, and no attempt counts. */
  boolean isWait() {
    return this == NOT_YET || this == NOT_HERE;
  }

  /**
   * Says whether an interrupt is among the causes of what was thrown. It says nothing of the
   * message where the receiver is closing; else it may be that the handler interrupts what takes
   * too long.
   */
  static boolean isInterrupt(Throwable thrown) {
    return Causes.of(thrown).stream()
        .anyMatch(
            cause ->
                cause instanceof InterruptedException
                    || cause instanceof ClosedByInterruptException);
  }
}
