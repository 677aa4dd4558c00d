// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.context;

/**
 * Protection against user code: transforms, routes, listeners and publishers may throw anything,
 * and may interrupt the thread that calls them.
 */
public final class UserCode {

  private UserCode() {}

  /**
   * Notes that user code has returned or thrown. An interrupt that it left on a relay's own thread
   * would fail whatever waits next; on a thread of the caller's it is the caller's.
   */
  public static void clearInterrupt() {
    if (Thread.currentThread() instanceof RelayThread thread) {
      thread.forgetInterrupt();
    }
  }
}
