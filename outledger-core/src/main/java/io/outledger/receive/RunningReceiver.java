// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

/**
 * A receiver that was started, and can be paused until it is closed. While it is paused it is not
 * at its broker: other instances receive in its place. Thread-safe.
 */
public interface RunningReceiver extends OpenReceiver {

  /**
   * Stops receiving, and retrying what is parked, until {@link #resume}; ends what it is doing as
   * {@link #close} does. Does nothing where it is paused or closed.
   */
  void pause();

  /**
   * Receives again after {@link #pause}. Does nothing where it is not paused, and once it is
   * closed.
   *
   * @throws io.outledger.OutledgerException what starting it throws; it is still paused then
   */
  void resume();
}
