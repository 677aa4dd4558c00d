// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Subscriptions;
import io.outledger.relay.RelayEvent;
import io.outledger.relay.RunningRelay;
import io.outledger.servers.Await;
import io.outledger.testing.RecordingPublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that commits late is taken for a dead hole, and dead holes go. */
class HoleProofIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void lateCommitsAndRollbacksLoseNothingThoughANaiveReaderLosesMessages(long seed)
      throws Exception {
    Queue<RelayEvent> events = new ConcurrentLinkedQueue<>();
    RecordingPublisher publisher = new RecordingPublisher();
    try (TestH2 database = TestH2.create();
        NaiveReader naive = new NaiveReader(database);
        Outledger outledger = Outledger.builder(database.dataSource()).build()) {
      RunningRelay relay = outledger.relay("kafka").listener(events::add).to(publisher).start();
      List<String> expected = new ArrayList<>(NastyWriters.run(database, seed));
      outledger.outbox().inNewTransaction(last());
      expected.add("last");
      Await.until(
          () -> "nothing is open: " + Subscriptions.of(database.dataSource(), "PUBLIC").list(),
          PATIENCE,
          () -> published(publisher).contains("last") && isNothingOpen(database));
      relay.close();
      assertThat(published(publisher)).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(holesDropped(events)).isPositive();
      assertThat(publisher.positions().size() + holesDropped(events))
          .isEqualTo(database.lastNumber());
      assertThat(naive.read()).isLessThan(expected.size());
    }
  }

  private static boolean isNothingOpen(TestH2 database) {
    return Subscriptions.of(database.dataSource(), "PUBLIC").list().stream()
        .allMatch(each -> each.lowest() == each.high() + 1);
  }

  private static long holesDropped(Queue<RelayEvent> events) {
    return events.stream()
        .filter(RelayEvent.HolesDropped.class::isInstance)
        .mapToLong(e -> ((RelayEvent.HolesDropped) e).holes().size())
        .sum();
  }

  private static List<String> published(RecordingPublisher publisher) {
    return publisher.messages().stream().map(m -> new String(m.payload(), UTF_8)).toList();
  }

  private static Message last() {
    return Message.to("orders", "order.placed").key("last").payload("last".getBytes(UTF_8)).build();
  }

  /** Reads what is above the highest position that it has seen, and so never a late commit. */
  private static final class NaiveReader implements AutoCloseable {

    private final TestH2 database;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final Thread thread = new Thread(this::run, "naive reader");
    private volatile long high;
    private final AtomicInteger count = new AtomicInteger();

    NaiveReader(TestH2 database) {
      this.database = database;
      thread.start();
    }

    private void run() {
      try (Connection connection = database.connect()) {
        while (!isClosed.get()) {
          poll(connection);
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    private void poll(Connection connection) throws SQLException {
      for (long position :
          Sql.of(
                  connection,
                  "SELECT position FROM outledger_message WHERE position > ? ORDER BY position",
                  high)
              .rows(row -> row.getLong(1))) {
        high = position;
        count.incrementAndGet();
      }
    }

    /** Stops, after a last look, and returns how many messages it has read. */
    int read() throws Exception {
      close();
      try (Connection connection = database.connect()) {
        poll(connection);
      }
      return count.get();
    }

    @Override
    public void close() {
      isClosed.set(true);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
