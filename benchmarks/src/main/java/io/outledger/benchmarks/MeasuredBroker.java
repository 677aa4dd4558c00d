// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.publish.Publisher;
import java.util.List;

/** A broker of its own whose publisher is held against the broker's bare client. */
interface MeasuredBroker extends AutoCloseable {

  /** Returns its name with the server's version, for people. */
  String title();

  /** Returns a publisher to the same place that {@link #sendBare} sends to. */
  Publisher publisher();

  /**
   * Sends messages with the bare client as the publisher does: with the same durability, as many on
   * their way at once, and in order; and returns when all are acknowledged.
   *
   * @param payloads what to send, one after the other
   */
  void sendBare(List<byte[]> payloads) throws Exception;

  /** Forgets what was sent, so that no turn pays for another's. */
  void clear() throws Exception;

  /** Returns how many messages have come since it was last cleared. */
  long count() throws Exception;

  @Override
  void close();
}
