// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import org.jspecify.annotations.Nullable;

/**
 * A receiver at its broker, which receives on threads of its own until it is closed. Thread-safe.
 * What was not acknowledged when its process crashed is delivered again: to another instance, or to
 * its successor. Nothing that a message or a handler does ends it, nor does an outage of the
 * broker.
 */
public interface OpenReceiver extends AutoCloseable {

  /** Says whether it receives; not so after {@link #close} or a failure that ended it. */
  boolean isRunning();

  /**
   * Returns the failure that ended it; null while it runs, if it was closed, and where the broker
   * has nothing to end it with.
   */
  @Nullable Throwable failure();

  /**
   * Finishes the messages that are being handled, acknowledges them, and returns what else was
   * delivered to the broker. Waits for the handler, and then less than ten seconds, whatever the
   * broker does; an interrupt of the caller interrupts the handler, and stays. Idempotent.
   *
   * <p>Called by a handler on a thread of this receiver, it waits for nothing: the receiver ends
   * after that handler's messages, and what they do is committed or rolled back as ever. Another
   * thread that closes it waits for that end. A handler must not wait for such a thread, and two
   * receivers whose handlers close each other wait for ever.
   */
  @Override
  void close();
}
