// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.Sql;
import io.outledger.servers.RoundTrips;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/** One application writes, under each load. */
final class WriteTurn {

  /** After this many executions a driver has prepared its statements. */
  private static final int LEARNING_TRANSACTIONS = 12;

  private final ApplicationFactory factory;
  private final String jdbcUrl;
  private final DataSource dataSource;

  WriteTurn(ApplicationFactory factory, String jdbcUrl) {
    this.factory = factory;
    this.jdbcUrl = jdbcUrl;
    this.dataSource = Site.forWriting(jdbcUrl).dataSource();
  }

  Reply run(long millis, int serverPort) throws Exception {
    Business business = PlacedOrder.in(dataSource);
    Reply reply = new Reply();
    try (Application application = factory.open(Site.forWriting(jdbcUrl))) {
      writeAll(application, business, Written.LOADS.get(0), millis);
      for (Load load : Written.LOADS) {
        measure(application, business, load, millis).addTo(reply);
      }
    }
    for (Load load : Written.LOADS) {
      reply.with(load.id() + "RoundTrips", roundTrips(business, load, serverPort));
    }
    return reply;
  }

  private Written measure(Application application, Business business, Load load, long millis)
      throws Exception {
    long walBefore = walBytes();
    long diskBefore = diskBytes();
    long start = System.nanoTime();
    long transactions = writeAll(application, business, load, millis);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Written(
        load,
        transactions / seconds,
        0,
        (double) (walBytes() - walBefore) / transactions,
        (double) (diskBytes() - diskBefore) / transactions);
  }

  private static long writeAll(Application application, Business business, Load load, long millis)
      throws Exception {
    List<NumberedMessage> messages = NumberedMessage.range(1, load.messages());
    long end = System.nanoTime() + millis * 1_000_000;
    Callable<Integer> writer =
        () -> {
          int count = 0;
          while (System.nanoTime() - end < 0) {
            application.commit(business, messages);
            count++;
          }
          return count;
        };
    return Background.inThreads(load.threads(), thread -> writer).stream()
        .mapToLong(Integer::longValue)
        .sum();
  }

  private int roundTrips(Business business, Load load, int serverPort) throws Exception {
    List<NumberedMessage> messages = NumberedMessage.range(1, load.messages());
    try (RoundTrips line = new RoundTrips(serverPort);
        Application application =
            factory.open(
                Site.forWriting(
                    jdbcUrl.replace(":" + serverPort + "/", ":" + line.port() + "/")))) {
      for (int i = 0; i < LEARNING_TRANSACTIONS; i++) {
        application.commit(business, messages);
      }
      // The least of some: what a pool or a scheduler asks meanwhile is not the transaction's.
      int least = Integer.MAX_VALUE;
      for (int i = 0; i < LEARNING_TRANSACTIONS; i++) {
        line.take();
        application.commit(business, messages);
        least = Math.min(least, line.take());
      }
      return least;
    }
  }

  private long walBytes() throws Exception {
    return Sql.number(
        dataSource, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint");
  }

  private long diskBytes() throws Exception {
    return Sql.number(
        dataSource, "SELECT sum(pg_total_relation_size(relid))::bigint FROM pg_stat_user_tables");
  }
}
