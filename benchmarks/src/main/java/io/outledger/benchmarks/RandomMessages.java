// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;

/** Messages of random bytes, which nothing can compress, of a thousand keys. Not thread-safe. */
final class RandomMessages {

  private static final int A_TRANSACTION = 1_000;

  private final Random random = new Random(1);

  List<byte[]> payloads(int count) {
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] payload = new byte[WaitingLedger.PAYLOAD_BYTES];
      random.nextBytes(payload);
      payloads.add(payload);
    }
    return payloads;
  }

  static List<Message> of(List<byte[]> payloads) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < payloads.size(); i++) {
      messages.add(
          Message.to("orders", "order.placed")
              .key(WaitingLedger.key(i))
              .payload(payloads.get(i))
              .build());
    }
    return messages;
  }

  /** Appends so many, a thousand a transaction. */
  void append(Outledger outledger, DataSource dataSource, int count) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      for (int from = 0; from < count; from += A_TRANSACTION) {
        append(outledger, connection, Math.min(A_TRANSACTION, count - from));
        connection.commit();
      }
    }
  }

  /** Appends so many in the caller's transaction. */
  void append(Outledger outledger, Connection transaction, int count) {
    outledger.outbox().append(transaction, of(payloads(count)));
  }
}
