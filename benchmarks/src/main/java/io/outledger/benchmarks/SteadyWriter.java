// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.jdbc.JdbcTransactions;
import io.outledger.jdbc.Outledger;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Commits one message at a time, 50 a second. */
final class SteadyWriter {

  static final int PER_SECOND = 50;

  private final Outledger outledger;
  private final AtARate rate = new AtARate(PER_SECOND, 1);
  private final byte[] payload = new byte[WaitingLedger.PAYLOAD_BYTES];

  SteadyWriter(Outledger outledger) {
    this.outledger = outledger;
  }

  /**
   * A message that was committed.
   *
   * @param id the message's
   * @param micros when the commit had returned to the application, by the machine's clock; a relay
   *     of the same process is woken just after
   */
  record Commit(UUID id, long micros) {

    private static final String MARK = "committed ";

    /** Returns it as a line for another process. */
    String line() {
      return MARK + id + " " + micros;
    }

    /** Reads such a line; empty where it is another. */
    static Optional<Commit> ofLine(String line) {
      if (!line.startsWith(MARK)) {
        return Optional.empty();
      }
      String[] words = line.split(" ", -1);
      return Optional.of(new Commit(UUID.fromString(words[1]), Long.parseLong(words[2])));
    }
  }

  /** Commits that many messages, and returns when. */
  List<Commit> writeAll(int count) throws InterruptedException {
    return rate.commit(count, this::write);
  }

  private Commit write(int number) {
    Message message =
        Message.to("orders", "order.placed").key("order-" + number).payload(payload).build();
    long[] micros = new long[1];
    JdbcTransactions transactions = outledger.transactions();
    transactions.run(
        connection -> {
          transactions.afterCommit(() -> micros[0] = SharedClock.micros());
          outledger.outbox().append(connection, message);
        });
    return new Commit(message.id(), micros[0]);
  }
}
