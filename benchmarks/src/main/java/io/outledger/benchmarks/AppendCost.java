// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.servers.RoundTrips;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts on the wire how often an append waits for the server. */
final class AppendCost {

  private static final List<Integer> COUNTS = List.of(1, 10, 1_000);

  private final WaitingLedger ledger;
  private final int serverPort;

  AppendCost(WaitingLedger ledger, int serverPort) {
    this.ledger = ledger;
    this.serverPort = serverPort;
  }

  /** Returns the round trips of one append on a connection in use, by its number of messages. */
  Map<Integer, Integer> roundTrips() throws SQLException, IOException {
    Map<Integer, Integer> trips = new TreeMap<>();
    try (RoundTrips line = new RoundTrips(serverPort);
        SmallPool pool = new SmallPool(ledger.jdbcUrl(line.port()));
        Outledger outledger = Outledger.builder(pool).build();
        Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      // A driver learns the numbers of the types once on each connection.
      append(outledger, connection, 1);
      for (int count : COUNTS) {
        line.take();
        append(outledger, connection, count);
        trips.put(count, line.take());
        connection.rollback();
      }
    }
    return trips;
  }

  private static void append(Outledger outledger, Connection connection, int count) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(
          Message.to("orders", "order.placed")
              .key("order-" + i)
              .payload(new byte[WaitingLedger.PAYLOAD_BYTES])
              .build());
    }
    outledger.outbox().append(connection, messages);
  }
}
