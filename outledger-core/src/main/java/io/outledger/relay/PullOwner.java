// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import java.util.Optional;
import java.util.UUID;

/**
 * What the incarnation of a pulling owner tells its successor: that the row was written by one, and
 * in which epoch. It is a UUID of version 8, the one for contents of one's own; the rest of it is
 * random. A row that an operator has moved, or a relay has owned, has another incarnation, so that
 * nobody overlooks it.
 *
 * @param epoch the number of the cursor's row that began it, below 2^44
 */
record PullOwner(long epoch) {

  private static final long MARK = 0x1ed6L; // 16 bits
  private static final int MARK_AT = 48;
  private static final int HIGH_AT = 16;
  private static final int LOW_BITS = 12;
  private static final long HIGH_MAX = (1L << (MARK_AT - HIGH_AT)) - 1;
  private static final long LOW_MAX = (1L << LOW_BITS) - 1;
  private static final int VERSION = 8;
  private static final int VARIANT = 2;
  private static final int VARIANT_AT = 62;

  /** Returns whose row it is; empty where it is nobody's who pulls. */
  static Optional<PullOwner> of(UUID incarnation) {
    long bits = incarnation.getMostSignificantBits();
    boolean isOurs =
        bits >>> MARK_AT == MARK
            && incarnation.version() == VERSION
            && incarnation.variant() == VARIANT;
    long high = (bits >>> HIGH_AT) & HIGH_MAX;
    return isOurs
        ? Optional.of(new PullOwner((high << LOW_BITS) | (bits & LOW_MAX)))
        : Optional.empty();
  }

  /** Returns an incarnation; of the random bits, two are not used. */
  UUID incarnation(long random) {
    long high = (epoch >>> LOW_BITS) & HIGH_MAX;
    long bits =
        (MARK << MARK_AT) | (high << HIGH_AT) | ((long) VERSION << LOW_BITS) | (epoch & LOW_MAX);
    long low = random >>> 2 | 1L << (VARIANT_AT + 1);
    return new UUID(bits, low);
  }
}
