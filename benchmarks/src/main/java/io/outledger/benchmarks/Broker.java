// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.publish.Publisher;

/** A broker that can be switched off and on, and tells in which order messages came to it. */
interface Broker extends AutoCloseable {

  /** Forgets what came, and returns whom to publish to from now on. */
  Publisher begin() throws InterruptedException;

  /** Switches it, and returns when it can, or cannot, be reached. */
  void switchTo(boolean on);

  /** Returns what came since it began. */
  Came came() throws InterruptedException;

  @Override
  void close();

  /**
   * What came.
   *
   * @param inOrder how many messages came after all that came before of their key, the first time
   * @param others how many came again, or after a later one of their key
   */
  record Came(long inOrder, long others) {}
}
