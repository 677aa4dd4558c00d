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
 * When a broker was last heard from. A queue whose nodes are away confirms nothing, and so does a
 * broker that is away: the one must not be taken for the other. Thread-safe.
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

  /** Notes that the broker has said something. */
  void heard() {
    heardAt = time.nanoTime();
  }

  /**
   * Says whether the broker was heard from at a time or later.
   *
   * @param nanos the time, by the clock's {@link TimeSource#nanoTime}
   */
  boolean isHeardSince(long nanos) {
    return heardAt - nanos >= 0;
  }

  /** Asks the broker for a channel, on a thread of its own, unless that is being asked already. */
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
