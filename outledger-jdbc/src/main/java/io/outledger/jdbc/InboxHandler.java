// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An inbox's handler: of batches, or, for a receiver, with its database. A receiver also retries
 * what is parked; whoever calls it as a mere handler of batches does not, and is told so at the
 * first batch if there is anything. Thread-safe.
 */
final class InboxHandler implements ParkingHandler {

  private static final Logger LOG = LoggerFactory.getLogger(InboxHandler.class);
  private static final int COUNT_MAX = 10_000;

  private final BatchHandler batches;
  private final ReceivedRows rows;
  private final Runnable retention;
  private final AtomicBoolean hasLooked = new AtomicBoolean();

  /**
   * Creates it.
   *
   * @param retention starts the default removal of what is old, unless it runs
   */
  InboxHandler(BatchHandler batches, ReceivedRows rows, Runnable retention) {
    this.batches = batches;
    this.rows = rows;
    this.retention = retention;
  }

  /** A receiver is about to start: a process that only receives removes old inbox records, too. */
  @Override
  public ReceiverStore store() {
    retention.run();
    return rows;
  }

  @Override
  public void handle(List<Received> batch) throws Exception {
    if (!hasLooked.getAndSet(true)) {
      lookForParked();
    }
    batches.handle(batch);
  }

  private void lookForParked() {
    try {
      int count = rows.count(COUNT_MAX);
      if (count > 0) {
        LOG.warn(
            "parked messages of consumer {}: {}{}. Its handler is called by something that does"
                + " not retry them, and later messages of their keys overtake them. Give the"
                + " handler itself to a receiver of Outledger, which retries them, or discard them"
                + " with inbox.parked()",
            Printable.value(rows.consumer()),
            count == COUNT_MAX ? "at least " : "",
            count);
      }
    } catch (RuntimeException e) { // what the batch meets as well, or a right that it does not need
      LOG.debug("could not look for parked messages", Printable.trace(e));
      hasLooked.set(false);
    }
  }
}
