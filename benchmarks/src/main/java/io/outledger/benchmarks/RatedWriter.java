// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Commits messages at a rate, one a transaction. The payload begins with the message's number. Used
 * by one thread.
 */
final class RatedWriter {

  private static final int THREADS = 4;

  private final Outledger outledger;
  private final AtARate rate;

  RatedWriter(Outledger outledger, int rate) {
    this.outledger = outledger;
    this.rate = new AtARate(rate, THREADS);
  }

  /** Writes messages with the numbers 0 to below the count; returns when each was committed. */
  List<Long> write(int count) throws InterruptedException {
    return rate.commit(count, this::commit);
  }

  /** Commits one message with a number, and returns when its commit had returned. */
  long commit(int number) {
    byte[] payload = new byte[WaitingLedger.PAYLOAD_BYTES];
    ByteBuffer.wrap(payload).putInt(number);
    Message message =
        Message.to("orders", "order.placed")
            .key(WaitingLedger.key(Math.abs(number)))
            .payload(payload)
            .build();
    outledger.transactions().run(connection -> outledger.outbox().append(connection, message));
    return SharedClock.micros();
  }
}
