// SPDX-License-Identifier: Apache-2.0
package io.outledger.inbox;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;

/** The rule for a consumer's name: short, so that it fits into an index beside source and id. */
final class ConsumerName {

  private static final int CHARS_MAX = 100;

  private ConsumerName() {}

  static String check(String name) {
    boolean good =
        !name.isBlank()
            && name.length() <= CHARS_MAX
            && name.codePoints().noneMatch(Character::isISOControl);
    if (!good) {
      throw new ConfigurationException(
          ErrorCode.INVALID_NAME,
          "a consumer's name has 1 to "
              + CHARS_MAX
              + " characters, not all blank and no control characters; this one has "
              + name.length());
    }
    return name;
  }
}
