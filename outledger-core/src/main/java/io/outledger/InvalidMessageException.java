// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import org.jspecify.annotations.Nullable;

/**
 * A message that cannot be appended or read as it is; the caller must correct it. Nothing was
 * written.
 */
public sealed class InvalidMessageException extends OutledgerException
    permits UnreadablePayloadException {

  private static final long serialVersionUID = 1L;

  /** Creates it with a text that says what happened, to what, and what to do next. */
  public InvalidMessageException(ErrorCode code, String text) {
    this(code, text, null);
  }

  /** Creates it with a cause, which may be null. */
  public InvalidMessageException(ErrorCode code, String text, @Nullable Throwable cause) {
    super(code, text, cause);
  }

  InvalidMessageException(InvalidMessageException same) {
    super(same);
  }

  /**
   * Returns whether no other attempt can succeed: then the message whose handler threw this is a
   * dead letter at once. It is not so of an {@link UnreadablePayloadException}, nor of an event
   * whose type this build does not register ({@code OUT-011}): another build may.
   */
  public boolean isForGood() {
    return code() != ErrorCode.UNREGISTERED_TYPE;
  }
}
