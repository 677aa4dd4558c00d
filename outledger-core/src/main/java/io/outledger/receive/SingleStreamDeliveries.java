// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.Require;

/**
 * The {@link Deliveries} of a consumer that has one stream only, such as a queue. Its stream need
 * not be paused: while that waits, there is nothing else to receive, and the receiver stops
 * receiving once it holds 1,000 messages or 16 MiB of it. For one thread.
 *
 * @param <P> what the broker knows a delivery by, such as a delivery tag or a receipt
 */
public interface SingleStreamDeliveries<P> extends Deliveries<P> {

  /**
   * Pauses nothing: the one stream goes on delivering until the receiver is full.
   *
   * @param stream the one stream
   * @return false
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the stream is null
   */
  @Override
  default boolean pause(Object stream) {
    Require.nonNull("stream", stream);
    return false;
  }

  /**
   * Always fails, since {@link #pause} never returns true.
   *
   * @param stream the one stream
   * @throws io.outledger.ConfigurationException {@code OUT-021} if the stream is null
   * @throws IllegalStateException otherwise
   */
  @Override
  default void resume(Object stream) {
    Require.nonNull("stream", stream);
    throw new IllegalStateException("the one stream is never paused");
  }
}
