// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.Channel;
import io.outledger.Printable;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers when the broker last answered. Neither a queue whose nodes are down nor a broker that
 * is down confirms a message; this tells the two apart. Thread-safe.
 */
final class LifeSigns {

  private static final Logger LOG = LoggerFactory.getLogger(LifeSigns.class);

  private final RabbitLine line;
  private final TimeSource time;
  private final AtomicBoolean isAsking = new AtomicBoolean();
  private volatile long heardAt;

  LifeSigns(RabbitLine line, TimeSource time) {
    this.line = line;
    this.time = time;
    this.heardAt = time.nanoTime();
  }

  /** Records that the broker has just answered. */
  void heard() {
    heardAt = time.nanoTime();
  }

  /**
   * Returns whether the broker has answered at a given time or later.
   *
   * @param nanos the time, as {@link TimeSource#nanoTime} returned it
   */
  boolean isHeardSince(long nanos) {
    return heardAt - nanos >= 0;
  }

  /** Asks the broker for a channel on a separate thread, unless such a request is still waiting. */
  void ask() {
    if (isAsking.compareAndSet(false, true)) {
      Thread thread = new Thread(this::askAndWait, "outledger-rabbitmq ask");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void askAndWait() {
    try (Channel answer = line.channel()) {
      LOG.debug("RabbitMQ answers on channel {}", answer.getChannelNumber());
      heard();
    } catch (IOException | TimeoutException | RuntimeException e) {
      LOG.debug("RabbitMQ does not answer: {}", Printable.text(e));
    } finally {
      isAsking.set(false);
    }
  }
}
