// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.reading;

import io.outledger.Require;
import io.outledger.jdbc.spi.AdminReads;
import java.time.Instant;

/** What time it is for the database, by whose clock messages grow old. Thread-safe. */
public final class ClockReads {

  private static final String NOW = "SELECT {now}";

  private final AdminReads reads;

  /** Makes it, without I/O. */
  public ClockReads(AdminReads reads) {
    this.reads = Require.nonNull("reads", reads);
  }

  /**
   * Returns the time.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Instant now() {
    return reads.read(
        "reading the clock",
        connection ->
            Query.of(reads, reads.in(NOW))
                .first(connection, row -> reads.values().time(row, 1))
                .orElseThrow());
  }
}
