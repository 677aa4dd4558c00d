// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.receive.RunningReceiver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Receives what waits in a broker, once with an inbox and once as tutorials do. The work itself is
 * left out, for it is the same for both.
 */
final class ReceiverTurn {

  private static final long PATIENCE_MINUTES = 30;

  private final WaitingLedger ledger;
  private final MeasuredBroker broker;
  private final int messages;

  ReceiverTurn(WaitingLedger ledger, MeasuredBroker broker, int messages) {
    this.ledger = ledger;
    this.broker = broker;
    this.messages = messages;
  }

  /**
   * Receives with an inbox.
   *
   * @param consumer a name that no turn had before
   * @return messages a second, from the first connection to the last commit
   */
  double receiver(String consumer) throws SQLException, InterruptedException {
    CountDownLatch left = new CountDownLatch(messages);
    double perSecond;
    try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
        Outledger outledger = Outledger.builder(pool).build()) {
      BatchHandler handler = outledger.inbox(consumer).handler((connection, message) -> {});
      long start = System.nanoTime();
      try (RunningReceiver receiver = broker.receive(counting(handler, left))) {
        if (!left.await(PATIENCE_MINUTES, TimeUnit.MINUTES) || !receiver.isRunning()) {
          throw new IllegalStateException(broker.title() + ": " + left.getCount() + " are missing");
        }
        perSecond = messages / ((System.nanoTime() - start) / 1e9);
      }
    }
    long known =
        ledger.number(
            "SELECT count(*) FROM outledger_processed WHERE consumer = '" + consumer + "'");
    if (known != messages) {
      throw new IllegalStateException(
          "%s: %,d messages took effect of %,d".formatted(broker.title(), known, messages));
    }
    return perSecond;
  }

  private static BatchHandler counting(BatchHandler handler, CountDownLatch left) {
    return batch -> {
      handler.handle(batch);
      batch.forEach(message -> left.countDown());
    };
  }

  /**
   * Receives with the bare client: looks for each message's id, inserts it, commits, acknowledges.
   *
   * @return messages a second, from the first connection to the last acknowledgement
   */
  double tutorial() throws SQLException, InterruptedException {
    try (SmallPool pool = new SmallPool(ledger.jdbcUrl());
        Outledger outledger = Outledger.builder(pool).build();
        Connection connection = ledger.connect()) {
      Sql.run(connection, InboxWay.TABLE.replace("TABLE", "TABLE IF NOT EXISTS"));
      connection.setAutoCommit(false);
      JdbcInbox inbox = outledger.inbox("tutorial");
      long start = System.nanoTime();
      BrokersBenchmark.act(
          () -> {
            broker.takeBare(messages, payload -> workOff(inbox, connection, payload));
            return 0L;
          });
      return messages / ((System.nanoTime() - start) / 1e9);
    }
  }

  /** The bare client's messages have no ids; making some costs less than reading them would. */
  private static void workOff(JdbcInbox inbox, Connection connection, byte[] payload)
      throws SQLException {
    Received message =
        Received.of("/orders", Message.to("orders", "order.placed").payload(payload).build());
    InboxWay.TUTORIAL.process(inbox, connection, List.of(message));
    connection.commit();
  }
}
