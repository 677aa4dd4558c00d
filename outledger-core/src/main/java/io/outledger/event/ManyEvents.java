// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import java.util.Optional;
import java.util.stream.BaseStream;

/** What holds events, and is passed to {@code append} in place of one. */
final class ManyEvents {

  private ManyEvents() {}

  /**
   * Refuses what holds events.
   *
   * @throws InvalidMessageException {@code OUT-011} if it does
   */
  static void refuse(Object appended) {
    if (appended instanceof Iterable
        || appended instanceof BaseStream
        || appended instanceof Optional
        || appended.getClass().isArray()) {
      throw new InvalidMessageException(
          ErrorCode.UNREGISTERED_TYPE,
          "cannot append a "
              + appended.getClass().getTypeName()
              + ": pass events and messages one by one, or as a Collection (call toList() on a"
              + " stream)");
    }
  }
}
