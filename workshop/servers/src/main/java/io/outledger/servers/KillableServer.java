// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

/** A server whose process can be killed and started again on its data. */
public interface KillableServer extends AutoCloseable {

  /** Returns the process id of the process that was started last. */
  long pid();

  /** Kills the server by SIGKILL and returns when it is gone. Its data stays. */
  void kill();

  /** Starts the server again on its data. */
  void restart();

  @Override
  void close();
}
