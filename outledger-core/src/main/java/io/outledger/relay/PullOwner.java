// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.Optional;
import java.util.UUID;

/**
 * What the incarnation of a pulling owner tells its successor: that the row was written by one, for
 * which epoch, and how many slots there were. It is a UUID of version 8, the one for contents of
 * one's own; the rest of it is random. A row that an operator has moved, or a relay has owned, has
 * another incarnation, so that nobody overlooks it.
 *
 * @param epoch 1 to 2^24 - 1
 * @param slots how many there are in all
 */
record PullOwner(long epoch, int slots) {

  private static final long MARK = 0x07_1ed6L; // 24 bits
  private static final int MARK_AT = 40;
  private static final int EPOCH_AT = 16;
  private static final long EPOCH_MAX = (1L << (MARK_AT - EPOCH_AT)) - 1;
  private static final long SLOTS_MAX = (1L << 12) - 1;
  private static final int VERSION = 8;
  private static final int VARIANT = 2;
  private static final int VARIANT_AT = 62;

  PullOwner {
    if (epoch < 1 || epoch > EPOCH_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the epoch is " + epoch + " but must be 1 to " + EPOCH_MAX);
    }
  }

  /** Returns whose row it is; empty where it is nobody's who pulls. */
  static Optional<PullOwner> of(UUID incarnation) {
    long high = incarnation.getMostSignificantBits();
    long epoch = (high >>> EPOCH_AT) & EPOCH_MAX;
    boolean isOurs =
        high >>> MARK_AT == MARK
            && incarnation.version() == VERSION
            && incarnation.variant() == VARIANT
            && epoch > 0;
    return isOurs ? Optional.of(new PullOwner(epoch, (int) (high & SLOTS_MAX))) : Optional.empty();
  }

  /** Returns an incarnation; of the random bits, two are not used. */
  UUID incarnation(long random) {
    long high = MARK << MARK_AT | epoch << EPOCH_AT | (long) VERSION << 12 | slots;
    long low = random >>> 2 | 1L << (VARIANT_AT + 1);
    return new UUID(high, low);
  }
}
