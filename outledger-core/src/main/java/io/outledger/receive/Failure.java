// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.OutledgerException;
import io.outledger.Printable;
import io.outledger.publish.DestinationUnavailableException;

/** What a failure says of the message that met it. */
enum Failure {
  /** Nothing: what the handler needs is not there. No attempt counts. */
  UNAVAILABLE,
  /** No room to park anything. */
  FULL,
  /** It, or the handler, is at fault; a later attempt may succeed. */
  SUSPECT,
  /** No attempt can succeed. */
  FINAL;

  static Failure of(Throwable thrown) {
    if (thrown instanceof InvalidMessageException) {
      return FINAL;
    }
    if (thrown instanceof DestinationUnavailableException
        || thrown instanceof InterruptedException
        || (thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError))) {
      return UNAVAILABLE;
    }
    if (thrown instanceof OutledgerException ours) {
      return ours.code() == ErrorCode.TOO_MANY_PARKED
          ? FULL
          : ours.code() == ErrorCode.STORE_UNAVAILABLE || ours.code() == ErrorCode.CLOSED
              ? UNAVAILABLE
              : SUSPECT;
    }
    return SUSPECT;
  }

  /** Describes what was thrown, printably, even where it refuses to say. */
  static String describe(Throwable thrown) {
    try {
      return Printable.text(thrown);
    } catch (Throwable e) {
      return thrown.getClass().getName();
    }
  }
}
