// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Outledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What an application goes on writing while something else happens: how long each message takes
 * from its commit until it is processed, as the table of effects says. Not thread-safe.
 */
final class LiveFlow {

  // Effects have no index, and those of live messages are few: one scan when all are there.
  private static final String TIMES = "SELECT message_id, at_micros FROM effect WHERE position > ?";

  private final WaitingLedger ledger;
  private final SteadyWriter writer;
  private final long above;
  private int written;

  /**
   * Creates it.
   *
   * @param above the last position that is none of its own
   */
  LiveFlow(WaitingLedger ledger, Outledger outledger, long above) {
    this.ledger = ledger;
    this.writer = new SteadyWriter(outledger);
    this.above = above;
  }

  int written() {
    return written;
  }

  /** Writes so many messages, and returns how many milliseconds each took. */
  Sample time(int messages) throws SQLException, InterruptedException {
    List<SteadyWriter.Commit> commits = writer.writeAll(messages);
    written += messages;
    ReplayBenchmark.await(
        "all live messages are processed",
        () -> ledger.number("SELECT count(*) FROM effect WHERE position > " + above) >= written);
    Map<UUID, Long> times = times();
    List<Double> millis = new ArrayList<>();
    for (SteadyWriter.Commit commit : commits) {
      millis.add((times.getOrDefault(commit.id(), 0L) - commit.micros()) / 1e3);
    }
    return Sample.of(millis);
  }

  private Map<UUID, Long> times() throws SQLException {
    Map<UUID, Long> times = new HashMap<>();
    try (Connection connection = ledger.connect();
        PreparedStatement select = connection.prepareStatement(TIMES)) {
      select.setLong(1, above);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          times.put(row.getObject(1, UUID.class), row.getLong(2));
        }
      }
    }
    return times;
  }
}
