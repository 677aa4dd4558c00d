// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import java.util.function.Supplier;

/**
 * The open or closed state of an {@link Outledger}. While it closes, nothing new starts, but
 * handlers that are finishing may still append. Thread-safe.
 */
final class OpenState {

  private enum State {
    OPEN,
    CLOSING,
    CLOSED
  }

  private volatile State state = State.OPEN;

  /**
   * Starts something, which the closing then sees.
   *
   * @param doing what is done, for the error's text, such as {@code start a relay}
   * @throws StoreException {@code OUT-026} if it is closed or being closed
   */
  synchronized <T> T start(String doing, Supplier<T> start) {
    if (state != State.OPEN) {
      throw closed(doing);
    }
    return start.get();
  }

  /**
   * Checks that it may be used.
   *
   * @throws StoreException {@code OUT-026} if it is closed
   */
  void require(String doing) {
    if (state == State.CLOSED) {
      throw closed(doing);
    }
  }

  synchronized void closing() {
    if (state == State.OPEN) {
      state = State.CLOSING;
    }
  }

  synchronized void closed() {
    state = State.CLOSED;
  }

  private static StoreException closed(String doing) {
    return new StoreException(
        ErrorCode.CLOSED,
        "cannot " + doing + ": this Outledger is closed; close it last, or build a new one");
  }
}
