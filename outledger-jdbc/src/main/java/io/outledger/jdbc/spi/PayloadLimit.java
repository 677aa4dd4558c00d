// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ErrorCode;
import io.outledger.MessageLimits;

/**
 * How large a payload this process loads: an eighth of its heap, since a driver and a client each
 * hold it more than once, and no more than a ledger takes. The length is asked for first.
 */
public final class PayloadLimit {

  private static final int SHARE_OF_HEAP = 8;

  private PayloadLimit() {}

  /** Returns the most bytes of a payload that this process loads. */
  public static int bytes() {
    long share = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    return (int) Math.min(share, MessageLimits.PAYLOAD_BYTES_MAX);
  }

  /** Says, for people, why a message is set aside without its payload. */
  public static String tooLarge(int bytesMax) {
    return ErrorCode.PAYLOAD_TOO_LARGE.code()
        + " the payload is larger than the "
        + bytesMax
        + " bytes that this process loads: an eighth of its heap, at most "
        + MessageLimits.PAYLOAD_BYTES_MAX
        + "; give it more heap and retry the message, or discard it";
  }
}
