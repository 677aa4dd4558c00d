// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import io.outledger.receive.Window;

/**
 * How many deliveries a receiver's next consumer is given ahead: those that were chosen, or as many
 * as the last one had room for. For the receiver's thread.
 */
final class Prefetch {

  private final int count;
  private ReadAhead last = new ReadAhead();

  Prefetch(int count) {
    this.count = count;
  }

  /** Returns how many deliveries a consumer is given that reads into this. */
  int of(Window window, ReadAhead ahead) {
    int fits = last.fits();
    last = ahead;
    return window == Window.ONE ? 1 : Math.min(count, fits);
  }
}
