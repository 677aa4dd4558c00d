// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import io.outledger.ErrorCode;
import io.outledger.OutledgerException;

/**
 * A batch of received messages that took effect only up to a message that failed. Its cause is what
 * that message's work threw.
 */
public final class ReceiveFailedException extends OutledgerException {

  private static final long serialVersionUID = 1L;

  private final int done;

  /**
   * Creates it.
   *
   * @param done how many messages from the start of the batch have taken effect, durably
   * @param failed the first message that has not
   * @param cause what its work threw; where that is one of ours, its code is kept
   */
  public ReceiveFailedException(int done, Received failed, Throwable cause) {
    super(
        cause instanceof OutledgerException ours ? ours.code() : ErrorCode.MESSAGE_REJECTED,
        failed
            + " could not be processed; acknowledge the "
            + done
            + " before it, which took effect, and receive it and the rest of the batch again: "
            + cause.getClass().getName(),
        cause);
    this.done = done;
  }

  /** Returns how many messages from the start of the batch have taken effect, durably. */
  public int done() {
    return done;
  }
}
