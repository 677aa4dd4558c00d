// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.inbox.BatchHandler;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import java.util.List;
import java.util.OptionalLong;

/** A broker of its own whose publisher and receiver are held against the broker's bare client. */
interface MeasuredBroker extends AutoCloseable {

  /** What tutorials do with a message before they acknowledge it. */
  interface Work {
    void on(byte[] payload) throws Exception;
  }

  /** Returns its name with the server's version, for people. */
  String title();

  /** Returns a publisher to the same place that {@link #sendBare} sends to. */
  Publisher publisher();

  /** Starts to receive from there, as an application does. */
  RunningReceiver receive(BatchHandler handler);

  /**
   * Sends messages with the bare client as the publisher does: with the same durability, as many on
   * their way at once, and in order; and returns when all are acknowledged.
   *
   * @param payloads what to send, one after the other
   */
  void sendBare(List<byte[]> payloads) throws Exception;

  /**
   * Takes messages with the bare client as tutorials do: one after the other is worked on, and then
   * acknowledged. Returns when all have been.
   *
   * @param count how many there are
   * @param work what to do with each
   */
  void takeBare(int count, Work work) throws Exception;

  /** Forgets what was sent, so that no turn pays for another's. */
  void clear() throws Exception;

  /**
   * Returns how many messages have come since it was last cleared; empty where the broker does not
   * tell before they are received.
   */
  OptionalLong count() throws Exception;

  @Override
  void close();
}
